"""The comparison sees every difference, and lets pass those of the table alone."""

import contextlib
import io
import json
import tempfile
import unittest
from pathlib import Path

import net
from differences import ABSENT, BadTable, Difference, differences, read_table, sort_out

ROW = {"project": "p", "region": "r", "function": "f", "generation": 2, "readiness": {"upper": 0.25, "reasons": []}}
OTHER = {**ROW, "function": "g"}


class DifferenceTests(unittest.TestCase):
    def found(self, old, new):
        return list(differences(old, new))

    def test_equal_answers_do_not_differ(self):
        self.assertEqual(self.found({"functions": [ROW, OTHER]}, {"functions": [ROW, OTHER]}), [])

    def test_a_value_is_named_by_its_place(self):
        later = {**ROW, "readiness": {"upper": 0.5, "reasons": []}}
        key = "functions[p/r/f/2].readiness.upper"
        self.assertEqual(self.found({"functions": [ROW]}, {"functions": [later]}), [(key, 0.25, 0.5)])

    def test_a_new_element_moves_no_other(self):
        found = self.found({"functions": [OTHER]}, {"functions": [ROW, OTHER]})
        self.assertEqual(found, [("functions[p/r/f/2]", ABSENT, ROW)])

    def test_an_element_that_is_gone(self):
        reasons = [{"code": "safe", "value": 1}, {"code": "shifted", "value": 2}]
        self.assertEqual(self.found(reasons, reasons[:1]), [("[shifted]", reasons[1], ABSENT)])
        self.assertEqual(self.found(["a", "b"], ["b"]), [("[a]", "a", ABSENT)])

    def test_another_order(self):
        found = self.found({"functions": [ROW, OTHER]}, {"functions": [OTHER, ROW]})
        self.assertEqual(found, [("functions[order]", ["p/r/f/2", "p/r/g/2"], ["p/r/g/2", "p/r/f/2"])])

    def test_elements_about_the_same_are_counted(self):
        problem = {"source": "a", "kind": "more", "record": None, "detail": "1"}
        found = self.found([problem, problem], [problem, {**problem, "detail": "2"}])
        self.assertEqual(found, [("[a/more/None#2].detail", "1", "2")])

    def test_keys_and_types(self):
        self.assertEqual(self.found({"a": None}, {}), [("a", None, ABSENT)])
        self.assertEqual(self.found({}, {"a": None}), [("a", ABSENT, None)])
        self.assertEqual(self.found({"a": {}}, {"a": []}), [("a", {}, [])])
        self.assertEqual(self.found({"a": 1}, {"a": True}), [("a", 1, True)])
        self.assertEqual(self.found({"a": "1"}, {"a": 1.0}), [("a", "1", 1.0)])

    def test_only_the_last_digits_of_a_fraction_may_differ(self):
        self.assertEqual(self.found({"a": 0.1}, {"a": 0.1 * (1 + 1e-10)}), [])
        self.assertEqual(self.found({"a": 1.0}, {"a": 1}), [])
        self.assertEqual(len(self.found({"a": 0.1}, {"a": 0.1 * (1 + 1e-8)})), 1)
        self.assertEqual(len(self.found({"a": 10**12}, {"a": 10**12 + 1})), 1)


class TableTests(unittest.TestCase):
    def rows(self, text, *found):
        table = read_table(text)
        return [row and row.paragraph for _, row in sort_out(found, table)], [row.matches for row in table]

    def test_patterns(self):
        difference = Difference("samples/a/report", "findings[p/r/f/shifted].detail", '"x | y"', "absent")
        for text, covers in (
            ("* | findings[*/shifted]* | Advice", True),
            ("samples/* | findings[*/shifted]* | * -> absent | Advice", True),
            ('samples/*/report | * | "x*" -> absent | Advice', True),
            ("samples/*/report | * | absent -> * | Advice", False),
            ("samples/*/check | * | Advice", False),
            ("* | findings[*/shifted] | Advice", False),
            ("* | findings?p/r/f/shifted?.detail | Advice", False),
        ):
            found = ["Advice"] if covers else [None]
            self.assertEqual(self.rows(text, difference), (found, [int(covers)]), text)

    def test_the_first_line_has_a_difference(self):
        difference = Difference("a", "b", "1", "2")
        text = "# a comment\n\na | b | Here\n* | * | There\n"
        self.assertEqual(self.rows(text, difference, difference), (["Here", "Here"], [2, 0]))

    def test_a_line_needs_a_paragraph(self):
        for line in ("a | b", "a | b | ", "a | b | 1 | here", "a | b | 1 -> 2 -> 3 | here", "a | b | 1 -> 2 | c | d"):
            with self.assertRaises(BadTable, msg=line):
                read_table(line)


class CompareTests(unittest.TestCase):
    def compared(self, old, new, text="", without=()):
        """What is printed about two folders of answers, and whether all is well."""
        with tempfile.TemporaryDirectory() as scratch:
            folders = [Path(scratch) / name for name in ("old", "new")]
            for folder, answers in zip(folders, (old, new)):
                (folder / "a.json").mkdir(parents=True)  # a log's name
                for name, answer in answers.items():
                    content = json.dumps({"status": 0, "answer": answer})
                    (folder / "a.json" / f"{name}.json").write_text(content, encoding="utf-8")
            printed = io.StringIO()
            with contextlib.redirect_stdout(printed):
                is_well = net.print_differences(list(net.compare(*folders, without)), read_table(text))
            return is_well, printed.getvalue()

    def test_the_same_answers_pass(self):
        self.assertTrue(self.compared({"report": {"asOf": 1}}, {"report": {"asOf": 1}})[0])

    def test_a_difference_fails_and_is_printed(self):
        is_well, printed = self.compared({"report": {"asOf": 1}}, {"report": {"asOf": 2}})
        self.assertFalse(is_well)
        self.assertIn("a.json/report | asOf | 1 -> 2 | NOT EXPECTED\n", printed)

    def test_one_of_the_table_passes_with_its_paragraph(self):
        table = "a.json/report | asOf | 1 -> 2 | Times"
        is_well, printed = self.compared({"report": {"asOf": 1}}, {"report": {"asOf": 2}}, table)
        self.assertTrue(is_well)
        self.assertIn("a.json/report | asOf | 1 -> 2 | Times\n", printed)

    def test_a_line_that_matches_nothing_fails(self):
        is_well, printed = self.compared({"report": 1}, {"report": 1}, "\nreport | asOf | Times")
        self.assertFalse(is_well)
        self.assertIn("expected.txt:2 matches no difference: Times", printed)

    def test_an_answer_that_only_one_has(self):
        old, new = {"report": 1, "explain-f": 1}, {"report": 1}
        self.assertFalse(self.compared(old, new)[0])
        self.assertTrue(self.compared(old, new, without=["explain"])[0])


class QuestionTests(unittest.TestCase):
    item = {
        "command": "report",
        "inputs": ["a.json"],
        "functions": ["f"],
        "options": ["--function", "f*", "--set", "max-record-bytes=1", "--set", "confidence=90%"],
    }

    def test_each_command_gets_the_options_that_it_knows(self):
        asked = dict(net.questions(self.item, []))
        self.assertEqual(list(asked), ["report", "check", "explain-f", "store-add", "store-report"])
        self.assertEqual(asked["explain-f"], ["explain", "f", *self.item["options"][2:], "a.json"])
        self.assertEqual(asked["store-add"], ["store", "add", net.STORE, *self.item["options"][2:4], "a.json"])
        self.assertEqual(asked["store-report"], ["report", *self.item["options"], "--store", net.STORE])

    def test_a_command_that_one_build_lacks(self):
        self.assertEqual([name for name, _ in net.questions(self.item, ["store", "explain"])], ["report", "check"])


if __name__ == "__main__":
    unittest.main()
