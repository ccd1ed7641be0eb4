"""Binomial logistic regression of blocked on the day, for the forecast's trend."""

from dataclasses import dataclass
from math import exp, log, sqrt

from bounds import normal_quantile


@dataclass(frozen=True)
class Trend:
    """A fitted line on the logit scale: `centre` is the day at which the logit is `intercept`."""

    centre: float
    intercept: float
    slope: float
    standard_error: float

    def rate(self, day):
        return logistic(self.intercept + self.slope * (day - self.centre))

    def falls(self, confidence):
        return self.slope < 0 and self.slope / self.standard_error < -normal_quantile(confidence)


def logistic(x):
    return 1 / (1 + exp(-x)) if x >= 0 else exp(x) / (1 + exp(x))


def fit_trend(points):
    """Fit (day, admitted, blocked) triples; None when the contract calls it no trend.

    Newton's method, which for the logit link is iteratively reweighted least squares; the standard error is
    scaled by the square root of Pearson's X^2 / (D - 2), kept between 1 and the number of blocked requests.
    """
    points = [(day, n, b) for day, n, b in points if n > 0]
    admitted, blocked = sum(n for _, n, _ in points), sum(b for _, _, b in points)
    if len(points) < 5 or not 0 < blocked < admitted:
        return None
    centre = sum(day for day, _, _ in points) / len(points)
    fit = _maximise_likelihood([(day - centre, n, b) for day, n, b in points], blocked / admitted)
    if fit is None or abs(fit[1]) > 20:
        return None
    intercept, slope, variance = fit
    chi_squared = 0.0
    for day, n, b in points:
        p = logistic(intercept + slope * (day - centre))
        chi_squared += (b - n * p) ** 2 / (n * p * (1 - p))
    dispersion = max(1.0, min(blocked, chi_squared / (len(points) - 2)))
    return Trend(centre, intercept, slope, sqrt(variance * dispersion))


def _log_likelihood(points, intercept, slope):
    total = 0.0
    for x, n, b in points:
        eta = intercept + slope * x
        # log(1 + e^eta), written so that neither sign overflows.
        total += b * eta - n * (max(eta, 0.0) + log(1 + exp(-abs(eta))))
    return total


def _maximise_likelihood(points, rate):
    intercept, slope = log(rate / (1 - rate)), 0.0
    current = _log_likelihood(points, intercept, slope)
    for _ in range(200):
        g0 = g1 = i00 = i01 = i11 = 0.0
        for x, n, b in points:
            p = logistic(intercept + slope * x)
            weight = n * p * (1 - p)
            g0 += b - n * p
            g1 += (b - n * p) * x
            i00 += weight
            i01 += weight * x
            i11 += weight * x * x
        determinant = i00 * i11 - i01 * i01
        if not determinant > 1e-200:
            return None
        step0 = (i11 * g0 - i01 * g1) / determinant
        step1 = (i00 * g1 - i01 * g0) / determinant
        if abs(step0) + abs(step1) < 1e-12 * (1 + abs(intercept) + abs(slope)):
            return intercept + step0, slope + step1, i00 / determinant
        scale = 1.0
        while scale > 1e-6:
            candidate = _log_likelihood(points, intercept + scale * step0, slope + scale * step1)
            if candidate >= current - 1e-12 * abs(current):
                break
            scale /= 2
        intercept, slope, current = intercept + scale * step0, slope + scale * step1, candidate
        if abs(slope) > 1000:
            return None
    return None
