#!/usr/bin/env bash
# After an update from .1 to .2, all refusals are counted and none is found.
#
# Version:  opentelemetry-sdk 1.45.1 and 1.45.2 (PyPI), a counter with three attributes, read as a reader exports it.
# Guess:    the last digit is for corrections: what one exports, the other exports. A process that has too many series
#           gets large, or says so.
# Behaviour: since 1.45.2 an instrument keeps the first 2000 combinations of attributes. All that come later are added up
#           in one series, which has otel.metric.overflow=true and no other attribute. Nothing is logged, totals are right.
# Output seen:
#   1.45.1  series 2600  VALID 240000, MISSING 4000, without status 0     share of MISSING 1.6%
#   1.45.2  series 2001  VALID 200000, MISSING 0, without status 44000    share of MISSING 0.0%
#   warnings and log messages: 0
# Why it hurts: combinations are kept in the order in which they come, and the frequent ones come first: of 40 functions
#           and 60 releases of an app, VALID alone takes all places. What is rare (a refusal, a new release, a new
#           function) has no status, no release and no name, so that an alert on MISSING finds no series and the chart
#           of shares shows 0%. Tests with three functions pass.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
for package in opentelemetry-sdk==1.45.1 opentelemetry-sdk==1.45.2; do
  version=${package#*==}
  { python3 -m venv "$version" && "$version/bin/pip" install --quiet --no-compile --disable-pip-version-check \
    "$package"; } || exit 2
done

cat > run.py <<'PY'
import collections, logging, sys, warnings
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader

logging.basicConfig(level=logging.WARNING)
warnings.simplefilter("always")
reader = InMemoryMetricReader()
counter = MeterProvider(metric_readers=[reader]).get_meter("server").create_counter("requests")
for status, releases, requests in (("VALID", 60, 100), ("MISSING", 5, 20)):
    for function in range(40):
        for release in range(releases):
            counter.add(requests, {"function": f"f{function}", "release": f"1.{release}", "status": status})
points = reader.get_metrics_data().resource_metrics[0].scope_metrics[0].metrics[0].data.data_points
counts = collections.Counter()
for point in points:
    counts[point.attributes.get("status", "without status")] += point.value
named = ", ".join(f"{name} {counts[name]}" for name in ("VALID", "MISSING", "without status"))
share = counts["MISSING"] / sum(counts.values())
print(f"{sys.argv[1]}  series {len(points)}  {named:<48} share of MISSING {share:.1%}")
PY
seen=$(for version in 1.45.1 1.45.2; do "$version/bin/python" run.py "$version" 2>>said || { cat said >&2; exit 2; }; done
  echo "warnings and log messages: $(wc -l < said)") || exit 2
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
1.45.1  series 2600  VALID 240000, MISSING 4000, without status 0     share of MISSING 1.6%
1.45.2  series 2001  VALID 200000, MISSING 0, without status 44000    share of MISSING 0.0%
warnings and log messages: 0
TEXT
