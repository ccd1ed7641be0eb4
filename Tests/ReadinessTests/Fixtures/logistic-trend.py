#!/usr/bin/env python3
"""Writes logistic-trend.csv and dispersion.csv: regressions and dispersions by statsmodels.

    python3 -m pip install numpy==2.4.6 statsmodels==0.15.0
    python3 logistic-trend.py

A series of days is written day:requests:blocked, separated by spaces. The regression is a binomial GLM of the blocked
requests on the day; the dispersion of a period is Pearson's statistic of the model that has a constant only.
"""
import math
from pathlib import Path

import numpy as np
import statsmodels.api as sm

HERE = Path(__file__).parent


def glm(days, design):
    """A fitted binomial model of (blocked, passed)."""
    counts = np.array([(blocked, requests - blocked) for _, requests, blocked in days], dtype=float)
    model = sm.GLM(counts, design, family=sm.families.Binomial())
    result = model.fit(tol=1e-12, tol_criterion="params", maxiter=200)
    assert result.converged
    return result


def trend(days):
    """Intercept at the first day, slope, scaled error of the slope, dispersion, and the rates of three days.

    Days are counted from the first one, which changes nothing but the meaning of the intercept.
    """
    active = [day for day in days if day[1] > 0]
    first = active[0][0]
    since = np.array([day[0] - first for day in active], dtype=float)
    result = glm(active, np.column_stack([np.ones_like(since), since]))
    blocked = sum(day[2] for day in active)
    dispersion = max(1.0, min(float(blocked), result.pearson_chi2 / (len(active) - 2)))
    ahead = np.array([0.0, since[-1], since[-1] + 30])
    rates = result.predict(np.column_stack([np.ones(3), ahead]))
    error = result.bse[1] / math.sqrt(result.scale) * math.sqrt(dispersion)
    return [result.params[1], error, dispersion, *rates]


def dispersion(days):
    active = [day for day in days if day[1] > 0]
    result = glm(active, np.ones((len(active), 1)))
    blocked = sum(day[2] for day in active)
    return max(1.0, min(float(blocked), result.pearson_chi2 / (len(active) - 1)))


def cases():
    """Two weeks and single weeks of many sizes and slopes, with bursts, weekends and days without requests."""
    generator = np.random.default_rng(20261014)
    for index in range(120):
        length = int(generator.choice([7, 14, 28]))
        first = int(generator.integers(0, 25_000))
        volume = 10 ** generator.uniform(0.7, 7)
        level, slope = generator.uniform(-7, 2), generator.uniform(-0.6, 0.3)
        burst = generator.choice([0.0, 0.0, 0.5, 1.5])
        days = []
        for day in range(length):
            weekend = 0.15 if (first + day) % 7 < 2 else 1.0
            requests = int(generator.poisson(volume * weekend))
            if index % 5 == 0 and generator.random() < 0.2:
                requests = 0
            rate = 1 / (1 + math.exp(-(level + slope * day + burst * generator.normal())))
            days.append((first + day, requests, int(generator.binomial(requests, rate))))
        active = [day for day in days if day[1] > 0]
        blocked, requests = sum(day[2] for day in active), sum(day[1] for day in active)
        if len(active) >= 5 and 0 < blocked < requests:
            yield days
    quiet = [(20_740 + day, 1389, 0) for day in range(6)]
    yield quiet + [(20_746, 1, 1)]
    yield [(day, 10**9, 5 * 10**8 - 10**7 * day) for day in range(14)]
    # Blocked almost wholly until a fix went out: Newton's method with whole steps diverges here.
    for text in [
        "0:106:106 1:6181:4067 2:309:309 3:54183:7 4:5:0 5:94:0",
        "0:35654:35615 1:561:560 2:18:18 3:384:384 4:184:0 5:7:0 6:734:0 7:2:0 8:88:0",
        "0:153:152 1:9:9 2:2:2 3:21:21 4:117:0 5:40:0 6:899:0 7:9:0 8:2410:0 9:182:0 10:2387:1 11:1:0",
    ]:
        yield [tuple(map(int, cell.split(":"))) for cell in text.split()]


def main():
    trends = ["days,slope,slope error,dispersion,first rate,last rate,rate 30 days later"]
    dispersions = ["days,dispersion"]
    for days in cases():
        text = " ".join(":".join(map(str, day)) for day in days)
        dispersions.append(f"{text},{float(dispersion(days))!r}")
        # A single blocked day at an end of the series, or fewer than two, leaves no finite maximum of the likelihood.
        if sum(1 for day in days if day[2] > 0) >= 2:
            trends.append(",".join([text] + [repr(float(value)) for value in trend(days)]))
    (HERE / "logistic-trend.csv").write_text("\n".join(trends) + "\n")
    (HERE / "dispersion.csv").write_text("\n".join(dispersions) + "\n")


if __name__ == "__main__":
    main()
