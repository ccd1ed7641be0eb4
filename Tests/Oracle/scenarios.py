"""Common projects and the answers they must get: none of them may wait for ever for an answer that the log holds.

    python3 scenarios.py FOLDER        writes each as an export, with its options and its answers in `expected.json`

Each scenario returns the projects that a user might have, with the verdict and the codes that matter of a function.
"""

import argparse
import json
from pathlib import Path

import numpy

from boundaries import LAST_NANOSECOND, Case
from instants import HOUR, instant_text, start_of, weekday_of
from make_projects import write_exports
from project_options import policy_options, policy_text

MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
WEEKS = 5


def case_on(weekday, time_of_day=LAST_NANOSECOND, generation=1):
    """A project whose as-of lies on a weekday, judged as the program judges when nobody says otherwise."""
    made = Case(numpy.random.default_rng(0))
    made.today = 20_700 + (weekday - weekday_of(20_700)) % 7
    made.as_of = start_of(made.today) + time_of_day
    made.generation = generation
    made.project.update(asOf=instant_text(made.as_of), options=["--as-of", instant_text(made.as_of)])
    return made


def on_weekdays(made, plan, days=7 * WEEKS):
    """Offsets of the days before the as-of's with what a plan says of their weekday."""
    offsets = range(-days + 1, 1)
    return {o: dict(plan[weekday_of(made.today + o)]) for o in offsets if weekday_of(made.today + o) in plan}


def every_day(clean, **more):
    return {weekday: {"clean": clean, **more} for weekday in range(7)}


def free_weekends():
    for today in range(7):
        made = case_on(today)
        made.function("office", on_weekdays(made, {d: {"clean": 300} for d in (MON, TUE, WED, THU, FRI)}))
        yield f"as of weekday {today}", made, {"office": ("enforce", {"safe"}, {"coverage-gap"})}


def one_request_a_day_at_weekends():
    for today in range(7):
        made = case_on(today)
        week = {**every_day(300), SAT: {"clean": 1}, SUN: {"clean": 1}}
        plan = on_weekdays(made, week)
        made.function("office", plan)
        yield f"as of weekday {today}", made, {"office": ("enforce", {"safe"}, set())}
        made = case_on(today)
        # Nobody came on the Sunday before last.
        plan.pop(next(o for o in range(-7, -14, -1) if weekday_of(made.today + o) == SUN))
        made.function("office", plan)
        yield f"as of weekday {today}, a Sunday without", made, {"office": ("enforce", {"safe"}, {"coverage-gap"})}


def two_days_a_week():
    plan = {MON: {"clean": 400}, THU: {"clean": 400}}
    made = case_on(THU)
    made.function("report", on_weekdays(made, plan))
    # What the log does not show, the policy has to say.
    yield "without a word", made, {"report": ("insufficient", {"coverage-gap"}, {"too-few-active-days", "stale"})}
    made = case_on(THU)
    made.function("report", on_weekdays(made, plan))
    made.project["policy"]["policy"]["quietDays"] = ["tue", "wed", "fri", "sat", "sun"]
    yield "with quiet-days", made, {"report": ("enforce", {"safe"}, {"coverage-gap"})}


def attack_three_weeks_ago():
    for generation in (1, 2):
        made = case_on(WED, generation=generation)
        plan = on_weekdays(made, every_day(300))
        for offset in range(-34, 0, 5):
            plan[offset]["rejected"] = 1
        plan[-21].update(rejected=5000, blocked=500, refused=500, hours=tuple(range(24)))
        made.function("signup", plan)
        expected = ("enforce", {"safe", "bad-day"}, {"failures-stopped", "failures-not-seen"})
        yield f"generation {generation}", made, {"signup": expected}


def check_on_monday_at_eight():
    weekdays = {d: {"clean": 300} for d in (MON, TUE, WED, THU, FRI)}
    for name, today, last in (("nobody has come yet", FRI, 18 * HOUR), ("the first have come", MON, 8 * HOUR - 1)):
        made = case_on(today, last)
        plan = on_weekdays(made, weekdays)
        plan[0] = {"clean": 5}
        made.function("office", plan, rows=[[made.as_of, "VALID", "VALID", "DEBUG"]])
        clock = start_of(made.today + (3 if today == FRI else 0)) + 8 * HOUR
        made.project.update(asOf=None, options=[], command="check", clock=instant_text(clock))
        yield name, made, {"office": ("enforce", {"safe"}, {"export-old", "coverage-gap"})}


def all_python():
    text = {"labelled": False, "text": True}
    made = case_on(WED, generation=2)
    made.function("predict", on_weekdays(made, every_day(80, rejected=1)), severity="INFO", extra=text)
    yield "passes are logged", made, {"predict": ("enforce", {"safe", "text-only"}, {"sdk-3"})}
    made = case_on(WED, generation=2)
    made.function("predict", on_weekdays(made, {d: {"rejected": 12} for d in range(7)}), extra=text)
    yield "at the default level", made, {"predict": ("blind", {"passes-not-seen", "text-only"}, {"all-refused"})}


def just_deployed():
    made = case_on(WED)
    made.function("old", on_weekdays(made, every_day(300)))
    made.function("new", on_weekdays(made, every_day(300), days=3))
    yield (
        "in an old project",
        made,
        {
            "old": ("enforce", {"safe"}, set()),
            # Safe on each of seven nights, of which today is the first.
            "new": ("insufficient", {"too-few-days"}, {"coverage-gap", "too-few-active-days"}, made.date(6)),
        },
    )
    made = case_on(WED)
    made.function("new", on_weekdays(made, every_day(300), days=3))
    yield (
        "with its project",
        made,
        {"new": ("insufficient", {"too-few-days", "coverage-gap"}, {"too-few-active-days"}, made.date(10))},
    )


def twenty_requests_a_day():
    made = case_on(WED)
    made.function("only", on_weekdays(made, every_day(20)))
    yield "of one function", made, {"only": ("enforce", {"safe"}, set())}
    made = case_on(WED)
    for i in range(5):
        made.function(f"part{i}", on_weekdays(made, every_day(4)))
    parts = {f"part{i}": ("insufficient", {"too-few-requests"}, set()) for i in range(5)}
    yield "of five functions", made, parts


def never_a_failure():
    made = case_on(WED)
    made.function("calm", on_weekdays(made, every_day(300)))
    yield "generation 1", made, {"calm": ("enforce", {"safe", "failures-unproven"}, set())}
    made = case_on(WED, generation=2)
    made.function("calm", on_weekdays(made, every_day(300)))
    yield "generation 2, stdout alone", made, {"calm": ("insufficient", {"failures-not-seen"}, {"failures-unproven"})}
    made = case_on(WED, generation=2)
    made.function("calm", on_weekdays(made, every_day(300)))
    made.stderr(range(-34, 1, 3))
    yield "generation 2, both streams", made, {"calm": ("enforce", {"safe", "failures-unproven"}, set())}
    made = case_on(WED, generation=2)
    made.function("calm", on_weekdays(made, every_day(300)))
    made.project["flags"]["assumeComplete"] = "failures"
    yield "generation 2, taken on trust", made, {"calm": ("enforce", {"safe", "failures-unproven"}, set())}


SCENARIOS = (
    free_weekends,
    one_request_a_day_at_weekends,
    two_days_a_week,
    attack_three_weeks_ago,
    check_on_monday_at_eight,
    all_python,
    just_deployed,
    twenty_requests_a_day,
    never_a_failure,
)


def all_scenarios():
    """(name, case, expected): of a function its verdict, codes that hold, codes that do not, the forecast's date."""
    for scenario in SCENARIOS:
        for name, made, expected in scenario():
            yield f"{scenario.__name__}: {name}", made, expected


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    for index, (name, made, expected) in enumerate(all_scenarios()):
        project, target = made.project, folder / f"s{index:02d}"
        target.mkdir(parents=True, exist_ok=True)
        write_exports(project, target, numpy.random.default_rng(index), duplicate_share=0)
        text = policy_text(project["policy"])
        if text:
            (target / "policy.yaml").write_text(text, encoding="utf-8")
        answer = {
            "name": name,
            "command": project.get("command", "default"),
            "options": project["options"] + policy_options(project),
            "inputs": project["inputs"],
            "clock": project.get("clock"),
            "functions": {
                function: dict(zip(("verdict", "codes", "withoutCodes", "forecast"), _listed(wanted)))
                for function, wanted in expected.items()
            },
        }
        (target / "expected.json").write_text(json.dumps(answer, indent=1) + "\n", encoding="utf-8")


def _listed(wanted):
    return [sorted(value) if isinstance(value, set) else value for value in wanted]


if __name__ == "__main__":
    main()
