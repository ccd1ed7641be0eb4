# Turns a report into a message for a chat whose webhooks take Slack's blocks:
#
#   callcheck report --store history.db -f json | jq -f slack.jq | curl --fail --json @- "$SLACK_WEBHOOK"
#
# It is plain text, in which a name is no link and no mention, and stays below Slack's 3,000 characters for a text.

def shown: gsub("[\\p{Cc}\\p{Cf}]"; "?");
def first_of(limit): .[:limit] + if length > limit then ["and \(length - limit) more"] else [] end;

[.functions[] | select(.readiness.verdict == "enforce").function | shown] as $ready
| "\($ready | length) of \(.functions | length) functions can be enforced, as of \(.asOf // "no day" | .[:10])." as $summary
# A change tells of a lock-out, too.
| (if .changes then "lockout" else "" end) as $told
| [.findings[] | select(.scope == "function" and .urgency == "act" and .code != $told) | "\(.of | [.project, .region, .function] | join("/")): \(.detail)"] as $now
| [$summary]
    + ($now | first_of(10)) + ([.changes // [] | .[].detail] | first_of(10))
    + if $ready == [] then [] else ["Ready: \($ready | first_of(20) | join(", "))."] end
    + (.input.problems | map(.detail) | first_of(3))
| map(shown) | join("\n")[:2900]
| {text: $summary, blocks: [{type: "section", text: {type: "plain_text", text: ., emoji: false}}]}
