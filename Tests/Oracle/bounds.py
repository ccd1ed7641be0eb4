"""Bounds of a share, its dispersion over days, and the tails that the rule asks."""
import math
from statistics import NormalDist

from scipy.special import betainc, betaincinv, chdtri


def upper(blocked, admitted, confidence):
    if admitted <= 0 or blocked >= admitted:
        return 1.0
    return float(betaincinv(blocked + 1, admitted - blocked, confidence))


def lower(blocked, admitted, confidence):
    if admitted <= 0 or blocked <= 0:
        return 0.0
    return float(betaincinv(blocked, admitted - blocked + 1, 1 - confidence))


def dispersion(days):
    """days: (admitted, blocked) pairs."""
    days = [(n, b) for n, b in days if n > 0]
    n, b = sum(d[0] for d in days), sum(d[1] for d in days)
    if b <= 0 or b >= n or len(days) < 2:
        return 1.0
    p = b / n
    square = sum((bd - nd * p) ** 2 / (nd * p * (1 - p)) for nd, bd in days)
    return max(1.0, min(b, square / (len(days) - 1)))


def least_more(blocked, admitted, phi, limit, confidence):
    """The least k >= 0 such that k more clean requests bring the upper bound to the limit."""
    if limit <= 0:
        return None
    fits = lambda k: upper(blocked / phi, (admitted + k) / phi, confidence) <= limit
    high = 1
    while not fits(high):
        high *= 2
    low = -1
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if fits(middle) else (middle, high)
    return high


def tail(k, n, p):
    """P(X >= k), binomial; k and n may be fractions."""
    return 1.0 if k <= 0 else float(betainc(k, n - k + 1, p))


def poisson_upper(count, confidence):
    return chdtri(2 * (count + 1), 1 - confidence) / 2


def quantile(confidence):
    return NormalDist().inv_cdf(confidence)


def logistic_slope(points):
    """Binomial logistic regression of blocked on the day -> (slope, standard error, intercept); None without a fit."""
    mean = sum(x for x, _, _ in points) / len(points)
    a, c = 0.0, 0.0
    for _ in range(100):
        g0 = g1 = h00 = h01 = h11 = 0.0
        for x, n, b in points:
            p = 1 / (1 + math.exp(-max(-700.0, min(700.0, a + c * (x - mean)))))
            w = n * p * (1 - p)
            g0, g1 = g0 + b - n * p, g1 + (b - n * p) * (x - mean)
            h00, h01, h11 = h00 + w, h01 + w * (x - mean), h11 + w * (x - mean) ** 2
        determinant = h00 * h11 - h01 * h01
        if determinant <= 1e-12:
            return None
        da, dc = (h11 * g0 - h01 * g1) / determinant, (h00 * g1 - h01 * g0) / determinant
        a, c = a + da, c + dc
        if abs(da) + abs(dc) < 1e-12:
            break
    return c, math.sqrt(h00 / determinant), a - c * mean
