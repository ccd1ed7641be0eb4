# A log-based metric of App Check verifications, and an alert. Nothing was run: copy the part you need.
# The metric is the one in the documentation of Firebase with two corrections: its filter names no
# resource.type, so that it counts both generations, and its label reads the key app, not appCheck.
# A metric counts from its creation on, and only Node functions: Python entries have no label.
# It shows a trend; for verdicts export the log.
{{placeholder}}

# 1. The metric, by the status of both tokens. Each function is a separate resource.
cat > metric.yaml <<'END'
description: Verifications of callable functions, by the status of their tokens
filter: {{label}}
labelExtractors:
  app: EXTRACT(jsonPayload.verifications.app)
  auth: EXTRACT(jsonPayload.verifications.auth)
metricDescriptor:
  metricKind: DELTA
  valueType: INT64
  labels:
  - key: app
    valueType: STRING
  - key: auth
    valueType: STRING
END
gcloud logging metrics create callable_verifications --project='{{project}}' \
    --config-from-file=metric.yaml

# 2. An alert: more than 1% of the signed-in requests of an hour have no valid App Check token. If
# enforcement is on, these people are refused. Replace FUNCTION by the function that is enforced, as the
# log spells it. Without a notification channel, only the console shows the alert.
cat > alert.yaml <<'END'
displayName: App Check refuses users of FUNCTION
combiner: OR
conditions:
{{services}}
{{functions}}
END
gcloud monitoring policies create --project='{{project}}' --policy-from-file=alert.yaml
