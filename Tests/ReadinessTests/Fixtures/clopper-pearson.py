#!/usr/bin/env python3
"""Writes clopper-pearson.csv, the table that the Swift statistics are tested against.

    python3 -m pip install mpmath==1.3.0 gmpy2
    python3 clopper-pearson.py

Every value is computed from the exact binary value of its arguments with 50 digits. The method shares nothing with the
Swift code: the incomplete beta function is the hypergeometric series of NIST DLMF 8.17.8, whose terms are all positive,
and each bound is certified by it: its log-odds moved by one part in 10^30 either way have to lie on either side of the
wanted probability. It takes less than a minute; gmpy2 is not needed, only faster.
"""
import random
from pathlib import Path

from mpmath import erfinv, exp, floor, ldexp, log, loggamma, mp, mpf, nstr, sqrt

try:
    from gmpy2 import mpz as INTEGER
except ImportError:
    INTEGER = int

mp.dps = 70  # 50 digits, and 20 for those that cancel between logarithms of gamma functions of 1e9
HERE = Path(__file__).parent
CONFIDENCES = [0.5, 0.8, 0.9, 0.95, 0.975, 0.99, 0.999, 0.9999]


def series(x, a, b):
    """The sum of (a + b)_k / (a + 1)_k x^k, k from 0, in integers scaled by 2^256."""
    one = INTEGER(1) << 256
    top, bottom, factor = (INTEGER(int(floor(ldexp(value, 256)))) for value in (a + b, a + 1, x))
    total = term = one
    while term << 200 > total:
        term = term * top // bottom * factor >> 256
        total += term
        top += one
        bottom += one
    return ldexp(mpf(int(total)), -256)


def density(x, y, a, b):
    """x^a y^b / B(a, b): the density of the log-odds."""
    return exp(a * log(x) + b * log(y) + loggamma(a + b) - loggamma(a) - loggamma(b))


def tails(x, y, a, b):
    """(I_x(a, b), 1 - I_x(a, b)), by the series that converges faster; the spare digits pay for the difference."""
    if x <= y:
        lower = density(x, y, a, b) / a * series(x, a, b)
        return lower, 1 - lower
    upper = density(x, y, a, b) / b * series(y, b, a)
    return 1 - upper, upper


def side(t, a, b, p, q):
    """Below 0 when the log-odds t lie left of the quantile, above 0 when they lie right of it, and the Newton step."""
    x, y = 1 / (1 + exp(-t)), 1 / (1 + exp(t))
    lower, upper = tails(x, y, a, b)
    if p <= q:
        return lower - p, -log(lower / p) * lower / density(x, y, a, b)
    return q - upper, log(upper / q) * upper / density(x, y, a, b)


def quantile(p, q, a, b):
    """The x with I_x(a, b) = p = 1 - q."""
    target = sqrt(mpf(2)) * erfinv(2 * p - 1)
    t = log(a / b) + target * sqrt(1 / a + 1 / b)
    if p <= q:
        t = max(t, (log(p) + loggamma(a + 1) + loggamma(b) - loggamma(a + b)) / a)
    else:
        t = min(t, -(log(q) + loggamma(b + 1) + loggamma(a) - loggamma(a + b)) / b)
    for _ in range(200):
        step = side(t, a, b, p, q)[1]
        t += step
        if abs(step) < mpf(10) ** -25 * max(1, abs(t)):  # quadratic convergence: the next step is below 1e-45
            break
    width = mpf(10) ** -30 * max(1, abs(t))
    assert side(t - width, a, b, p, q)[0] < 0 < side(t + width, a, b, p, q)[0], (p, a, b)
    return 1 / (1 + exp(-t))


def bounds(blocked, requests, confidence):
    b, n, c = mpf(blocked), mpf(requests), mpf(confidence)
    upper = quantile(c, 1 - c, b + 1, n - b) if b < n else mpf(1)
    lower = quantile(1 - c, c, b, n - b + 1) if b > 0 else mpf(0)
    return upper, lower


def rows():
    """(blocked, requests, confidence), distinct, in a fixed order."""
    seen = {}
    turn = 0

    def add(blocked, requests, confidence=None):
        nonlocal turn
        if confidence is None:
            confidence = CONFIDENCES[turn % len(CONFIDENCES)]
            turn += 1
        seen[(float(blocked), float(requests), confidence)] = None

    # Whole counts, from none to all blocked.
    for n in [1, 2, 3, 5, 10, 15, 30, 100, 298, 299, 1000, 4200, 10**4, 10**5, 10**6, 10**7, 10**8, 10**9]:
        candidates = [0, 1, 2, 3, 7, n // 100, n // 10, n // 3, n // 2, 2 * n // 3, n - 2, n - 1, n]
        for b in sorted({b for b in candidates if 0 <= b <= n}):
            add(b, n)
    # Every confidence where the numbers of the rule are decided.
    for confidence in CONFIDENCES + [1 - 0.05 / 7, 1 - 0.05 / 28]:
        for b, n in [(0, 299), (1, 473), (4, 4200), (31, 4200), (1, 10**9), (10**9 - 1, 10**9), (5 * 10**8, 10**9)]:
            add(b, n, confidence)
    # Counts divided by a dispersion; the last ones leave parameters below 1 on either side.
    for phi in [1.0003, 1.37, 2.5, 5.8, 17.3, 123.4, 1389.25, 4999.5]:
        for b, n in [(3, 700), (42, 4200), (5000, 10**6), (2 * 10**6, 10**9)]:
            if phi <= b:
                add(b / phi, n / phi)
        for b, n in [(1, 10), (1, 10**6), (999, 1000), (10**6 - 1, 10**6), (5, 10)]:
            add(b / phi, n / phi)
    # Either side of where the method changes.
    for b in [13.5, 14.0, 14.5, 15.0, 15.5, 149.5, 2000.5]:
        for n in [2 * b, 14.5 + b, 15.5 + b, 10**5, 10**7, 10**9]:
            add(b, n)
    generator = random.Random(20261014)
    for _ in range(60):
        n = 10 ** generator.uniform(0, 7)
        add(n * generator.random() ** 3, n, round(generator.uniform(0.5, 0.9999), 4))
    return list(seen)


def main():
    lines = ["blocked,requests,confidence,upper,lower"]
    for blocked, requests, confidence in rows():
        upper, lower = bounds(blocked, requests, confidence)
        lines.append(f"{blocked!r},{requests!r},{confidence!r},{nstr(upper, 25)},{nstr(lower, 25)}")
    (HERE / "clopper-pearson.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
