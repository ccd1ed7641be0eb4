"""Who wrote an entry: what the SDK did not write is discarded before anything is counted."""

import unittest

from boundaries import spread
from instants import DAY
from test_log import row
from test_rule import RuleTestCase, answers, case
from verdict_oracle import summary


class ProvenanceTests(RuleTestCase):
    def counted(self, rows, plan=None):
        made = case()
        made.function("f", plan or spread(700, 7), rows=[row_of(made) for row_of in rows])
        found = summary(made.project)["functions"][0]
        return found["verifications"], found["discarded"], found["readiness"]

    def test_unlabelled_lines_of_a_function_that_writes_labels_are_forged(self):
        forged = [lambda made: row(made, -2, "MISSING", labelled=False)] * 50
        verifications, discarded, answer = self.counted(forged)
        self.assertEqual((verifications, discarded["unlabelled"], answer["blocked"]), (700, 50, 0))
        self.assertEqual(answer["verdict"], "enforce")

    def test_unlabelled_lines_alone_are_counted(self):
        made = case(generation=2)
        made.function("python", spread(700, 7), extra={"labelled": False, "text": True})
        found = summary(made.project)["functions"][0]
        self.assertEqual((found["verifications"], found["discarded"]["unlabelled"]), (700, 0))
        self.assertIn("text-only", {reason["code"] for reason in found["readiness"]["reasons"]})

    def test_the_label_with_another_message_is_a_clients(self):
        verifications, discarded, answer = self.counted([lambda made: row(made, -2, "MISSING", own_message=False)] * 80)
        self.assertEqual((verifications, discarded["otherMessage"], answer["verdict"]), (700, 80, "enforce"))

    def test_the_label_with_another_message_does_not_prove_that_the_sdk_writes_labels(self):
        made = case(generation=2)
        forged = [row(made, -2, own_message=False)]
        made.function("python", spread(700, 7), rows=forged, extra={"labelled": False, "text": True})
        found = summary(made.project)["functions"][0]
        self.assertEqual((found["verifications"], found["discarded"]["unlabelled"]), (700, 0))

    def test_one_execution_counts_once_and_its_earliest_entry_stands(self):
        same = {"instance": "i", "execution": "e"}

        def entry(app, hour, **more):
            return lambda made: row(made, -1, app, hour=hour, **{**same, **more})

        for entries, blocked, repeated in (
            ([entry("VALID", 9), entry("MISSING", 10), entry("MISSING", 11)], 0, 2),
            ([entry("MISSING", 10), entry("VALID", 11), entry("VALID", 12)], 1, 2),
            ([entry("MISSING", 9, insert_id="b"), entry("VALID", 9, insert_id="a")], 1, 0),
            ([entry("MISSING", 9, insert_id="b"), entry("MISSING", 9, insert_id="a")], 1, 1),
            ([entry("VALID", 9), entry("MISSING", 10, instance="j")], 1, 0),
            ([entry("VALID", 9), entry("MISSING", 10, execution="d")], 1, 0),
        ):
            verifications, discarded, answer = self.counted(entries)
            self.assertEqual((answer["blocked"], discarded["repeated"]), (blocked, repeated))
            self.assertEqual(verifications, 700 + len(entries) - repeated)

    def test_without_an_execution_id_trace_and_span_name_the_execution(self):
        def entry(app, hour, **more):
            return lambda made: row(made, -1, app, hour=hour, **more)

        both = {"trace": "t", "span": "1"}
        self.assertEqual(self.counted([entry("VALID", 9, **both), entry("MISSING", 10, **both)])[2]["blocked"], 0)
        for other in (
            {"trace": "t", "span": "2"},
            {"trace": "u", "span": "1"},
            {"trace": "t"},
            {"span": "1"},
        ):
            self.assertEqual(self.counted([entry("VALID", 9, **both), entry("MISSING", 10, **other)])[2]["blocked"], 1)

    def test_where_only_one_entry_names_an_execution_trace_and_span_tell(self):
        both = {"trace": "t", "span": "1"}
        for one, other, blocked in (
            ({}, {"execution": "e"}, 0),
            ({"execution": "e"}, {}, 0),
            ({"execution": "d"}, {"execution": "e"}, 1),
        ):
            rows = [lambda made: row(made, -1, "VALID", hour=9, **both, **one)]
            rows.append(lambda made: row(made, -1, "MISSING", hour=10, **both, **other))
            self.assertEqual(self.counted(rows)[2]["blocked"], blocked, (one, other))

    def test_what_is_later_is_not_discarded_unless_its_message_is_another(self):
        made = case()
        rows = [row(made, 1, labelled=False), row(made, 1, own_message=False), row(made, 1)]
        made.function("f", spread(700, 7), rows=rows)
        found = summary(made.project)
        self.assertEqual((found["input"]["later"], found["input"]["ignored"]), (2, 1))
        self.assertEqual(sum(found["functions"][0]["discarded"].values()), 1)

    def test_of_another_source_what_would_be_blocked_is_uncounted(self):
        made = case()
        of = {"own_message": False, "apart": True}
        rows = [row(made, -1, "MISSING", auth, **of) for auth in ("VALID", "VALID", "MISSING", "INVALID")]
        made.function("f", spread(700, 7), rows=rows)
        self.assertEqual(answers(made)["f"]["uncounted"], 3)
        made.project["flags"]["requiresAuth"] = True
        self.assertEqual(answers(made)["f"]["uncounted"], 2)

    def test_lines_without_a_trace_have_the_span_alone(self):
        rows = [lambda made, hour=hour: row(made, -1, "MISSING", hour=hour, span="1") for hour in (9, 10)]
        self.assertEqual(self.counted(rows)[2]["blocked"], 1)

    def test_an_undated_entry_lies_on_the_day_of_its_receipt(self):
        for days, repeated in ((0, 1), (1, 1), (2, 0)):
            made = case()
            same = {"instance": "i", "execution": "e"}
            dated = row(made, -5, "VALID", hour=9, **same)
            undated = [None, *row(made, -5, "VALID", hour=9, **same)[1:4], {**same, "received": dated[0] + days * DAY}]
            made.function("f", spread(700, 7), rows=[dated, undated])
            found = summary(made.project)["functions"][0]
            self.assertEqual(found["discarded"]["repeated"], repeated, days)

    def test_copies_of_what_is_discarded_are_ignored_and_others_are_duplicates(self):
        made = case()
        rows = [row(made, -1, own_message=False, copies=2), row(made, -1, insert_id="a", copies=3)]
        made.function("f", spread(700, 7), rows=rows)
        counts = summary(made.project)["input"]
        self.assertEqual((counts["ignored"], counts["duplicates"], counts["verifications"]), (3, 3, 701))

    def test_more_than_a_tenth_unlabelled_is_mixed(self):
        for unlabelled, mixed in ((70, False), (71, True)):
            forged = [lambda made: row(made, -2, labelled=False)] * unlabelled
            codes = self.counted(forged)[2]["reasons"]
            self.assertEqual("mixed-provenance" in {reason["code"] for reason in codes}, mixed)

    def test_two_days_of_two_severities_are_an_update_and_three_a_forger(self):
        for days, mixed in ((2, False), (3, True)):
            info = [lambda made, i=i: row(made, -i, severity="INFO") for i in range(days)]
            # Beyond the stretch, labels or passes it is no sign.
            info += [
                lambda made: row(made, -4, "INVALID", severity="WARNING"),
                lambda made: row(made, -5, severity="INFO", own_message=False),
                lambda made: row(made, -30, severity="INFO"),
                lambda made: row(made, -30),
            ]
            codes = self.counted(info)[2]["reasons"]
            self.assertEqual("mixed-provenance" in {reason["code"] for reason in codes}, mixed)

    def test_sdk_3_is_told_by_labelled_passes_alone(self):
        made = case(generation=2)
        made.function("python", spread(700, 7), severity="INFO", extra={"labelled": False, "text": True})
        made.function("node", spread(700, 7), severity="INFO")
        found = answers(made)
        self.assertEqual(["sdk-3" in found[name + "/2"]["codes"] for name in ("python", "node")], [False, True])

    def test_a_project_nobody_knows_is_a_preview(self):
        made = case()
        made.function("f", spread(700, 7), project="-")
        self.check(answers(made)["f"], "insufficient", "unattributed")


if __name__ == "__main__":
    unittest.main()
