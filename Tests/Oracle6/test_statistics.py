"""Bounds against exact arithmetic, the regression against statsmodels, and the closed forms."""

import math
import random
import unittest
import warnings

import numpy
import statsmodels.api

from bounds import dispersion_of, lower_bound, normal_quantile, requests_missing, upper_bound
from exact_beta import regularised_beta, relative_error_of_quantile
from regression import fit_trend


class BoundsTests(unittest.TestCase):
    def test_exact_beta_is_the_binomial_tail(self):
        # I_x(k, n - k + 1) = P(at least k of n).
        tail = sum(math.comb(20, k) * 0.3**k * 0.7 ** (20 - k) for k in range(7, 21))
        self.assertAlmostEqual(float(regularised_beta(7, 14, 0.3)), tail, places=14)

    def test_bounds_are_the_quantiles_of_exact_arithmetic(self):
        rng = random.Random(7)
        for _ in range(300):
            n = int(10 ** rng.uniform(0, 6))
            b = min(n, rng.choice([0, 1, rng.randint(0, n), int(n * 10 ** rng.uniform(-4, 0))]))
            phi = rng.choice([1, rng.uniform(1, max(1, b))])
            confidence = rng.choice([0.5, 0.8, 0.9, 0.95, 0.99, 0.9999])
            upper, lower = upper_bound(b, n, phi, confidence), lower_bound(b, n, phi, confidence)
            if upper < 1 - 1e-12:
                self.assertLess(relative_error_of_quantile(upper, b / phi + 1, (n - b) / phi, confidence), 1e-10)
            if b > 0:
                self.assertLess(relative_error_of_quantile(lower, b / phi, (n - b) / phi + 1, 1 - confidence), 1e-10)

    def test_nothing_and_everything_blocked(self):
        self.assertAlmostEqual(upper_bound(0, 300, 1, 0.95), 1 - 0.05 ** (1 / 300), places=15)
        self.assertEqual(lower_bound(0, 300, 1, 0.95), 0)
        self.assertEqual(upper_bound(30, 30, 1, 0.95), 1)
        self.assertAlmostEqual(lower_bound(30, 30, 1, 0.95), 0.05 ** (1 / 30), places=15)
        self.assertEqual((upper_bound(0, 0, 1, 0.95), lower_bound(0, 0, 1, 0.95)), (1, 0))

    def test_299_clean_requests_are_enough_for_one_per_cent(self):
        self.assertGreater(upper_bound(0, 298, 1, 0.95), 0.01)
        self.assertLessEqual(upper_bound(0, 299, 1, 0.95), 0.01)
        self.assertEqual(requests_missing(0, 298, 1, 0.95, 0.01), 1)
        self.assertEqual(requests_missing(0, 0, 1, 0.95, 0.01), 299)
        self.assertEqual(requests_missing(0, 299, 1, 0.95, 0.01), 0)

    def test_requests_missing_is_the_least(self):
        rng = random.Random(3)
        for _ in range(100):
            n, phi = rng.randint(1, 3000), rng.uniform(1, 4)
            b = rng.randint(0, max(1, n // 20))
            k = requests_missing(b, n, phi, 0.95, 0.01)
            self.assertLessEqual(upper_bound(b, n + k, phi, 0.95), 0.01)
            if k > 0:
                self.assertGreater(upper_bound(b, n + k - 1, phi, 0.95), 0.01)


class DispersionTests(unittest.TestCase):
    def test_even_days_have_none(self):
        self.assertEqual(dispersion_of([(100, 2)] * 7), 1)

    def test_by_hand(self):
        # p = 0.1; each day contributes 5^2 / (100 * 0.1 * 0.9) = 25/9; D = 2, the empty day is none.
        self.assertAlmostEqual(dispersion_of([(100, 5), (100, 15), (0, 0)]), 50 / 9, places=12)
        # 100/9 from each day is more than 20 blocked requests can show.
        self.assertEqual(dispersion_of([(100, 0), (100, 20)]), 20)

    def test_one_blocked_request_on_a_quiet_sunday(self):
        days = [(1389, 0)] * 6 + [(1, 1)]
        rate = 1 / (6 * 1389 + 1)
        uncapped = (6 * 1389**2 * rate**2 / (1389 * rate * (1 - rate)) + (1 - rate) ** 2 / (rate * (1 - rate))) / 6
        self.assertGreater(uncapped, 1380)
        self.assertEqual(dispersion_of(days), 1)

    def test_none_blocked_all_blocked_one_day(self):
        for days in ([(5, 0), (9, 0)], [(5, 5), (9, 9)], [(100, 7)], []):
            self.assertEqual(dispersion_of(days), 1)


class RegressionTests(unittest.TestCase):
    def test_against_statsmodels(self):
        rng = numpy.random.default_rng(11)
        compared = 0
        for _ in range(200):
            days = numpy.arange(20_700, 20_700 + int(rng.integers(5, 15)))
            n = rng.integers(1, 400, len(days))
            logits = rng.uniform(-4, 0) + rng.uniform(-0.5, 0.2) * (days - days[0])
            b = rng.binomial(n, 1 / (1 + numpy.exp(-logits)))
            trend = fit_trend(list(zip(days.tolist(), n.tolist(), b.tolist())))
            if trend is None:
                self.assertIn(b.sum(), (0, n.sum()))
                continue
            exog = statsmodels.api.add_constant((days - days.mean()).astype(float))
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                model = statsmodels.api.GLM(
                    numpy.column_stack([b, n - b]), exog, family=statsmodels.api.families.Binomial()
                )
                fit = model.fit(tol=1e-14, maxiter=200)
            if abs(trend.slope) > 3:
                continue  # next to separated: statsmodels stops earlier
            phi = max(1, min(b.sum(), fit.pearson_chi2 / (len(days) - 2)))
            self.assertAlmostEqual(trend.slope, fit.params[1], delta=1e-8)
            # statsmodels takes the weights of the step before its last.
            self.assertAlmostEqual(trend.standard_error, fit.bse[1] * math.sqrt(phi), delta=1e-6)
            expected = fit.predict([[1.0, float(days[-1] + 9 - days.mean())]])[0]
            self.assertAlmostEqual(trend.rate(int(days[-1]) + 9) / expected, 1, delta=1e-8)
            compared += 1
        self.assertGreater(compared, 150)

    def test_no_trend(self):
        self.assertIsNone(fit_trend([(d, 10, 1) for d in range(4)]), "four days")
        self.assertIsNone(fit_trend([(d, 10, 1) for d in range(4)] + [(4, 0, 0)]), "four active days")
        self.assertIsNone(fit_trend([(d, 10, 0) for d in range(7)]), "nothing blocked")
        self.assertIsNone(fit_trend([(d, 10, 10) for d in range(7)]), "everything blocked")

    def test_separated_days_are_no_sure_trend(self):
        trend = fit_trend([(d, 50, 50 if d < 3 else 0) for d in range(7)])
        self.assertTrue(trend is None or not trend.falls(0.95))

    def test_a_flat_rate_does_not_fall(self):
        self.assertFalse(fit_trend([(d, 100, 5) for d in range(7)]).falls(0.95))
        self.assertTrue(fit_trend([(d, 100, 40 - 5 * d) for d in range(7)]).falls(0.95))


class ProportionTests(unittest.TestCase):
    def test_normal_quantile(self):
        self.assertAlmostEqual(normal_quantile(0.975), 1.959963984540054, places=12)


if __name__ == "__main__":
    unittest.main()
