# Commands for a complete export. Nothing was run: pipe this into sh, or copy what you need.
#   callcheck export read        what Cloud Logging still has: for a first look, changes nothing
#   callcheck export sink        a sink into a bucket: for decisions, every night
#   callcheck export bigquery    a sink into BigQuery
#   callcheck export analytics   Log Analytics
# callcheck export counts, alert and filter print queries that count, an alert, and the filter alone.
#
# The filter finds the verifications of both generations by their label, and those of Python, which
# have none, by their text. Generation 2 writes passes to stdout and failures to stderr. All of its
# stderr is exported: without the other lines, no failures and no stderr would look the same.
# Add no severity: passes are written at DEBUG. Add no resource.type: each generation has its own.
{{callers}}
#
# What it costs: an entry takes about 1 kB, so a million requests take {{volume}}. Reading a log and
# routing it to a sink is free. List prices, which may have changed:
#   in Cloud Logging, beyond 30 days    0.01 dollars a GiB and month
#   in a bucket in us-east1             0.02 dollars a GB and month
#   a download from a bucket            0.12 dollars a GB
# BigQuery charges for what a sink writes, for space, and for what queries read. The first TiB that
# queries read in a month is free.
# https://cloud.google.com/stackdriver/pricing  https://cloud.google.com/storage/pricing-examples
# https://cloud.google.com/bigquery/pricing
{{placeholder}}
