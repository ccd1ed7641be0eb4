"""Who calls a made-up function: a mix of clients, some of whom are refused more than others."""

from agents import ANDROID, BROWSERS, DART, OTHER_PAGES, OWN, PARENTS, WEB_VIEW, apple
from instants import DAY

VERSIONS = (
    *("3.0.9", "3.1.0", "3.1.2", "3.1.10", "3.1.10.0", "4.0-beta", "4.0", "4.0b2", "4.0b10", "v4.1", "2.9"),
    "99999999999999999999.1",
)
SIMULATOR = apple(machine="sim")
LOCAL = (BROWSERS["chrome"], "http://localhost:5000/")
PEOPLE = (
    *("chrome", "chrome", "firefox", "safari", "edge", "opera", "samsung", "firefoxOnIos", "chromeOnIos", "inApp"),
    *((BROWSERS["chrome"], PARENTS), (BROWSERS["safari"], PARENTS), (WEB_VIEW, PARENTS)),
    *((BROWSERS["chrome"], page) for page in OTHER_PAGES),
    *("facebook", "instagram", "googleApp", "line", "operaOnIos", "electron", "electron"),
    *(ANDROID, ANDROID, WEB_VIEW, "Example/412 CFNetwork/1410.0.3 Darwin/22.6.0"),
    *(
        apple(),
        apple(),
        apple(model="MacOSX"),
        apple(model="iPad", machine="iPad13_1"),
        apple(model="Apple_TV", machine="AppleTV6_2"),
        apple(model="Apple_Watch", machine="Watch6_1"),
        apple(model="Apple_Vision", machine="RealityDevice14_1"),
        DART,
        apple("com.example.app.Share"),
        apple("org.other", "1.0"),
        apple("Runner"),
    ),
)
PREVIEW = (BROWSERS["chrome"], "https://my-app--pull-12-k3j5h7g1.web.app/")
OTHERS = (*OWN, SIMULATOR, LOCAL, PREVIEW, None, (BROWSERS["safari"], "http://192.168.0.7.local/"))
MACHINES = ("curl/8.5.0", "node", "axios/1.7.9", "Google-Cloud-Tasks", None)


def random_callers(rng, days):
    """Who sent a verification (a row of a description), for a function seen on these days."""

    def pick(choices):
        return choices[rng.integers(len(choices))]

    usual = [pick(PEOPLE) for _ in range(int(rng.integers(1, 5)))]
    kind = pick(("usual", "platform", "platform", "release", "release", "own", "spread", "machines", "small"))
    if kind == "machines":
        # Debug tokens of a pipeline: valid ones come from machines, blocked ones from people.
        return _of_one(rng, [pick(MACHINES)], [pick(PEOPLE)], pick((1, 0.9)), pick((0, 0.005, 0.02, 0.3)))
    if kind == "small":
        sites = [(BROWSERS["chrome"], f"https://school{i}.example/") for i in range(int(rng.integers(2, 30)))]
        return _of_one(rng, usual, sites, pick((1, 0.9)), pick((0, 0, 0.002)))
    if kind == "platform":
        return _of_one(rng, usual, [pick(PEOPLE)], pick((1, 1, 0.95, 0.6)), pick((0, 0, 0.002, 0.02)))
    if kind == "own":
        return _of_one(rng, usual, [pick(OTHERS), pick(OTHERS)], pick((1, 0.9, 0.5)), pick((0, 0.05)))
    if kind == "release":
        app = pick(("com.example.app", "com.example.app", "Runner"))
        old, new = rng.choice(VERSIONS, 2, replace=False)
        since = days[int(rng.uniform(0.2, 1) * (len(days) - 1))]
        return _of_a_release(rng, usual, [apple(app, str(old)), apple(app, str(new))], since)
    if kind == "spread":
        usual = [*PEOPLE, *OTHERS]
    return lambda row: pick(usual)


def _of_one(rng, usual, refused, share, clean_share):
    """Most of what is blocked is sent by a few clients, who send little else."""

    def caller(row):
        found = refused if rng.random() < (clean_share if row[1] == "VALID" else share) else usual
        return found[rng.integers(len(found))]

    return caller


def _of_a_release(rng, usual, versions, since):
    """From a day on more and more of an app's users have a new version, to which most of what is blocked belongs."""
    of_app, blocked_share = rng.choice([0.2, 0.6, 1]), rng.choice([1, 0.8, 0.3])
    phased = rng.choice([0.02, 0.06, 0.3])

    def caller(row):
        blocked = row[1] != "VALID"
        newer = row[0] is not None and row[0] // DAY >= since
        if newer and blocked and rng.random() < blocked_share:
            return versions[1]
        if rng.random() < of_app:
            return versions[int(newer and rng.random() < phased)]
        return usual[rng.integers(len(usual))]

    return caller
