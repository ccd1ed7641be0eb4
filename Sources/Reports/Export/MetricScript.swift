/// Commands that make a log-based metric of verifications, and an alert on people who are refused.
///
/// Firebase documents such a metric; its filter finds only generation 1, and its label names a key that no entry has.
///
/// Source: <https://firebase.google.com/docs/app-check/monitor-functions-metrics>.
package struct MetricScript: Sendable {
    let project: ProjectID

    package init(project: ProjectID) { self.project = project }

    package var text: String { ([opening, metric, alert].map { $0 + "\n" }).joined(separator: "\n") }

    private var opening: String {
        """
        # A log-based metric of App Check verifications, and an alert. Nothing was run: copy the part you need.
        # The metric is the one in the documentation of Firebase with two corrections: its filter names no
        # resource.type, so that it counts both generations, and its label reads the key app, not appCheck.
        # A metric counts from the moment it is made, and holds the label of the SDK for Node alone: of Python
        # it counts nothing. It shows a trend; for verdicts export the log.\(placeholder)
        """
    }

    private var placeholder: String {
        project == .placeholder ? "\n# For PROJECT put the id of the project, or add --project ID." : ""
    }

    private var metric: String {
        """
        # 1. The metric, by the status of both tokens. Each function is a resource of its own.
        cat > metric.yaml <<'END'
        description: Verifications of callable functions, by the status of their tokens
        filter: \(LogFilter.label)
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
        gcloud logging metrics create callable_verifications --project='\(project.text)' \\
            --config-from-file=metric.yaml
        """
    }

    private var alert: String {
        """
        # 2. An alert: of the signed-in requests of an hour more than 1 % have no valid App Check token. Where
        # enforcement is on, these people are locked out. For FUNCTION put the function that is enforced, as the
        # log spells it; without a notification channel the alert is only shown in the console.
        cat > alert.yaml <<'END'
        displayName: App Check locks people out of FUNCTION
        combiner: OR
        conditions:
        \(condition("2", type: "cloud_run_revision", label: "service_name"))
        \(condition("1", type: "cloud_function", label: "function_name"))
        END
        gcloud monitoring policies create --project='\(project.text)' --policy-from-file=alert.yaml
        """
    }

    private func condition(_ generation: String, type: String, label: String) -> String {
        func filter(_ rest: String) -> String {
            """
            resource.type="\(type)" AND resource.label.\(label)="FUNCTION" AND
                  metric.type="logging.googleapis.com/user/callable_verifications" AND
                  metric.label.auth="VALID"\(rest)
            """
        }
        let sum = """
            - alignmentPeriod: 3600s
                  perSeriesAligner: ALIGN_SUM
                  crossSeriesReducer: REDUCE_SUM
            """
        return """
            - displayName: signed in without a valid App Check token, generation \(generation)
              conditionThreshold:
                filter: >-
                  \(filter(#" AND metric.label.app!="VALID""#))
                denominatorFilter: >-
                  \(filter(""))
                aggregations:
                \(sum)
                denominatorAggregations:
                \(sum)
                comparison: COMPARISON_GT
                thresholdValue: 0.01
                duration: 0s
            """
    }
}
