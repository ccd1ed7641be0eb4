#!/usr/bin/env python3
"""Writes normal-distribution.csv: quantiles of the standard normal distribution with 50 digits.

    python3 -m pip install mpmath==1.3.0
    python3 normal-distribution.py

Each row holds a probability and its z, computed from the exact binary value of the probability.
"""
from pathlib import Path

from mpmath import erfc, findroot, log, mp, mpf, nstr, sqrt

mp.dps = 60


def cumulative(z):
    return erfc(-z / sqrt(mpf(2))) / 2


def quantile(p):
    if p > 0.5:
        return -quantile(1 - p)
    start = -sqrt(-2 * log(2 * p)) if p < 0.4 else (p - 0.5) * sqrt(2 * mp.pi)
    z = findroot(lambda z: log(cumulative(z)) - log(p), start)
    assert abs(cumulative(z) / p - 1) < mpf(10) ** -50
    return z


def main():
    probabilities = [10.0**-k for k in range(1, 301, 13)] + [1e-9, 1e-6, 1e-4, 1e-3, 0.01, 0.025, 0.05]
    probabilities += [0.05 / days for days in range(2, 29)]
    probabilities += [k / 37 for k in range(1, 37)]
    probabilities += [0.5 + sign * 2.0**-k for k in range(2, 52, 3) for sign in (-1, 1)]
    probabilities += [0.95, 0.975, 0.99, 0.999, 0.9999, 1 - 2.0**-40]
    lines = ["probability,z"]
    for p in sorted(set(probabilities)):
        lines.append(f"{p!r},{nstr(quantile(mpf(p)), 25)}")
    (Path(__file__).parent / "normal-distribution.csv").write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
