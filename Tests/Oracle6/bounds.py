"""Clopper-Pearson bounds and dispersion, as the "Numbers" of the verdict's contract define them.

scipy inverts the incomplete beta function; `test_statistics.py` holds it against mpmath at 50 digits.
"""

from scipy.special import betainc, betaincinv, ndtri


def upper_bound(blocked, admitted, dispersion, confidence):
    """One-sided upper bound of the blocked rate; 1 when everything was blocked or nothing was admitted."""
    if admitted == 0 or blocked >= admitted:
        return 1.0
    return float(betaincinv(blocked / dispersion + 1, (admitted - blocked) / dispersion, confidence))


def lower_bound(blocked, admitted, dispersion, confidence):
    """One-sided lower bound of the blocked rate; 0 when nothing was blocked."""
    if blocked == 0:
        return 0.0
    return float(betaincinv(blocked / dispersion, (admitted - blocked) / dispersion + 1, 1 - confidence))


def dispersion_of(days):
    """How much more the days differ than chance would let them: phi of a list of (admitted, blocked), one per day."""
    active = [(n, b) for n, b in days if n > 0]
    admitted, blocked = sum(n for n, _ in active), sum(b for _, b in active)
    if blocked == 0 or blocked >= admitted or len(active) < 2:
        return 1.0
    rate = blocked / admitted
    chi_squared = sum((b - n * rate) ** 2 / (n * rate * (1 - rate)) for n, b in active)
    return max(1.0, min(blocked, chi_squared / (len(active) - 1)))


def requests_missing(blocked, admitted, dispersion, confidence, maximum):
    """The least k >= 0 such that k more requests, none of them blocked, bring the upper bound down to the maximum."""

    def enough(k):
        clean = (admitted + k - blocked) / dispersion
        # upper <= maximum, asked of the distribution function: no inversion, so no rounding at the boundary.
        return clean > 0 and betainc(blocked / dispersion + 1, clean, maximum) >= confidence

    high = 1
    while not enough(high):
        high *= 2
    low = 0
    while low < high:
        middle = (low + high) // 2
        if enough(middle):
            high = middle
        else:
            low = middle + 1
    return low


def normal_quantile(probability):
    """Quantile of the standard normal distribution."""
    return float(ndtri(probability))
