"""The regularised incomplete beta function at 50 digits, to hold faster code against."""

from mpmath import loggamma, mp, mpf

mp.dps = 50


def regularised_beta(a, b, x):
    """I_x(a, b) by a series of positive terms (DLMF 8.17.8), which keeps every digit; mpmath's own betainc
    sums an alternating series here and does not converge for large parameters."""
    a, b, x = mpf(a), mpf(b), mpf(x)
    if x > 0.5:
        return 1 - regularised_beta(b, a, 1 - x)
    term = total = mpf(1)
    j = 0
    while term > total * mpf(10) ** -55:
        term *= (a + b + j) * x / (a + 1 + j)
        total += term
        j += 1
    return density(a, b, x) * x * (1 - x) / a * total


def density(a, b, x):
    """The beta distribution's density at x."""
    a, b, x = mpf(a), mpf(b), mpf(x)
    return mp.exp((a - 1) * mp.log(x) + (b - 1) * mp.log(1 - x) + loggamma(a + b) - loggamma(a) - loggamma(b))


def relative_error_of_quantile(x, a, b, probability):
    """How far x is, relative to itself, from the quantile of a beta distribution (one Newton step)."""
    return abs((regularised_beta(a, b, x) - mpf(probability)) / density(a, b, x) / mpf(x))
