"""Common projects get their answers, and every clause that such a project met is named when one does not."""

import unittest

from scenarios import all_scenarios
from verdict_oracle import summary


class ScenarioTests(unittest.TestCase):
    def test_common_projects_get_their_answers(self):
        for name, made, expected in all_scenarios():
            made.project.setdefault("clock", "2099-01-01T00:00:00Z")
            rows = {row["function"]: row["readiness"] for row in summary(made.project)["functions"]}
            for function, (verdict, codes, without, *forecast) in expected.items():
                with self.subTest(name, function=function):
                    answer = rows[function]
                    found = {reason["code"] for reason in answer["reasons"]}
                    self.assertEqual(
                        (answer["verdict"], codes - found, without & found), (verdict, set(), set()), found
                    )
                    for date in forecast:
                        self.assertEqual((answer["forecast"] or {}).get("date"), date)

    def test_the_names_tell_them_apart(self):
        names = [name for name, _, _ in all_scenarios()]
        self.assertEqual(len(set(names)), len(names))
        self.assertGreater(len(names), 30)


if __name__ == "__main__":
    unittest.main()
