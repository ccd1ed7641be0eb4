# A log-based metric of App Check verifications, and an alert. Nothing was run: copy the part you need.
# The metric is the one in the documentation of Firebase with two corrections: its filter names no
# resource.type, so that it counts both generations, and its label reads the key app, not appCheck.
# A metric counts from the moment it is made, and holds the label of the SDK for Node alone: of Python
# it counts nothing. It shows a trend; for verdicts export the log.
{{placeholder}}

# 1. The metric, by the status of both tokens. Each function is a resource of its own.
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

# 2. An alert: of the signed-in requests of an hour more than 1 % have no valid App Check token. Where
# enforcement is on, these people are locked out. For FUNCTION put the function that is enforced, as the
# log spells it; without a notification channel the alert is only shown in the console.
cat > alert.yaml <<'END'
displayName: App Check locks people out of FUNCTION
combiner: OR
conditions:
{{services}}
{{functions}}
END
gcloud monitoring policies create --project='{{project}}' --policy-from-file=alert.yaml
