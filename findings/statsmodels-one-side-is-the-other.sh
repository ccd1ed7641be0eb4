#!/usr/bin/env bash
# "larger" is a test for more and an interval for less: the lower limit of a share is always 0.
#
# Version:  statsmodels 0.15.0, the first with one-sided proportion_confint and confint_poisson; scipy 1.17.1 (PyPI).
# Guess:    alternative="larger" is the interval that belongs to the test of that name, as in scipy ("greater"), in R and
#           in statsmodels' own zconfint: a lower limit, and 1 above. "smaller" is an upper limit.
# Behaviour: the two new ones are the other way round: "larger" has an upper limit and 0 below, "smaller" a lower limit
#           and 1 above, for each method. The tests, and zconfint in the same package, are as guessed.
# Output seen:
#   50 of 1000 refused, is it more than 1%?
#     scipy binomtest, greater: p < 0.001, share from 0.0392 to 1.0000
#     statsmodels, larger:      p < 0.001
#       zconfint:                          share from 0.0387 to inf
#       proportion_confint:                share from 0.0000 to 0.0629
#       confint_poisson:                   share from 0.0000 to 0.0633
#   2 of 1000 refused, is it less than 1%?
#     scipy binomtest, less:    p = 0.003, share from 0.0000 to 0.0063
#     statsmodels, smaller:     p = 0.003
#       zconfint:                          share from -inf to 0.0043
#       proportion_confint:                share from 0.0004 to 1.0000
#       confint_poisson:                   share from 0.0004 to inf
# Why it hurts: an alert on "surely more than 1%" that takes the lower limit of "larger" compares 0 with 1%, in each
#           outage, and is silent; a gate that takes the upper limit of "smaller" never opens. Whoever swaps the sides
#           until the numbers look right has a test and an interval in one report that are named alike and contradict.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
{ python3 -m venv env && env/bin/pip install --quiet --no-compile --disable-pip-version-check \
  statsmodels==0.15.0 scipy==1.17.1; } || exit 2

cat > run.py <<'PY'
import numpy
from scipy.stats import binomtest
from statsmodels.stats.proportion import binom_test, proportion_confint
from statsmodels.stats.rates import confint_poisson
from statsmodels.stats.weightstats import zconfint

def chance(p):
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"

def show(title, interval, p=""):
    print(f"{title:<27} {p:<9}{',' if p else ' '} share from {interval[0]:.4f} to {interval[1]:.4f}")

for refused, word, theirs, ours in ((50, "more", "greater", "larger"), (2, "less", "less", "smaller")):
    print(f"{refused} of 1000 refused, is it {word} than 1%?")
    test = binomtest(refused, 1000, 0.01, alternative=theirs)
    show(f"  scipy binomtest, {theirs}:", test.proportion_ci(0.95), chance(test.pvalue))
    print(f"{f'  statsmodels, {ours}:':<27}", chance(binom_test(refused, 1000, 0.01, alternative=ours)))
    requests = numpy.repeat([1, 0], [refused, 1000 - refused])
    show("    zconfint:", zconfint(requests, alternative=ours))
    show("    proportion_confint:", proportion_confint(refused, 1000, method="beta", alternative=ours))
    show("    confint_poisson:", confint_poisson(refused, 1000, method="exact-c", alternative=ours))
PY
seen=$(env/bin/python run.py 2>errors) || { cat errors >&2; exit 2; }
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
50 of 1000 refused, is it more than 1%?
  scipy binomtest, greater: p < 0.001, share from 0.0392 to 1.0000
  statsmodels, larger:      p < 0.001
    zconfint:                          share from 0.0387 to inf
    proportion_confint:                share from 0.0000 to 0.0629
    confint_poisson:                   share from 0.0000 to 0.0633
2 of 1000 refused, is it less than 1%?
  scipy binomtest, less:    p = 0.003, share from 0.0000 to 0.0063
  statsmodels, smaller:     p = 0.003
    zconfint:                          share from -inf to 0.0043
    proportion_confint:                share from 0.0004 to 1.0000
    confint_poisson:                   share from 0.0004 to inf
TEXT
