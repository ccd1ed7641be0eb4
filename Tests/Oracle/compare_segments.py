"""python compare_segments.py --callcheck PATH [--functions N] [--seed S] [--reference segments.py] [--keep FOLDER]

Segments and failing now of random functions, each a random log of people, offices and requests without an address: beginnings, ends, counts
and the alarm have to be those of segmenting.py, or of another program of that interface (columns(requests), unit(columns, T)).

The program keeps 16 bits of an address, so two of a function's addresses may be one to it: a function agrees if it does with either of two keys."""
import argparse
import gzip
import importlib.util
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import segmenting
from moments import DAY, HOUR, day_number, text

BATCH = 100
LAST = day_number("2026-10-14")
AGENTS = ["com.example.app/2.0.0 iPhone/18.5 hw/iPhone15_2", "com.example.app/2.1.0 iPhone/18.5 hw/iPhone15_2", "com.example.other/1.0 iPhone/18.5 hw/iPhone15_2", "okhttp/4.12.0"]
PERSON = [("ios", "com.example.app"), ("ios", "com.example.app"), ("ios", "com.example.other"), ("android", None)]
NANOSECOND = HOUR / 3600 / 10**9


def requests(draw, T):
    """(t, address, agent, auth, blocked) of one function, in order; t in nanoseconds."""
    days = draw.choice([2, 5, 9, 16, 34])
    begin = (LAST - days + 1) * DAY
    people = [(f"10.{draw.randrange(250)}.{draw.randrange(250)}.{i}", draw.randrange(4), draw.choice(["VALID", "VALID", "VALID", "MISSING"]), 1.0) for i in range(draw.choice([1, 3, 8, 20, 50]))]
    offices = [(f"192.168.{i}.1", draw.randrange(4), "VALID", draw.choice([5, 30])) for i in range(draw.choice([0, 0, 1, 3]))]
    nameless = draw.choice([0, 0, 0.1, 0.6])
    share = draw.choice([0, 0.002, 0.02, 0.3])
    turns = sorted((draw.uniform(0, days * 24), draw.choice([share, share, 0.5, 1.0, 0.0, 0.1])) for _ in range(draw.randrange(5)))
    who = people + offices
    weights = [p[3] for p in who]
    out, t = [], begin
    rate = draw.choice([4, 20, 60, 200]) * (1 if days < 20 else 0.5)
    while True:
        t += int(draw.expovariate(rate) * DAY)
        if t > T:
            return out
        address, agent, auth, _ = draw.choices(who, weights)[0]
        if draw.random() < nameless:
            address = None
        now = [p for at, p in turns if at <= (t - begin) / HOUR]
        blocked = draw.random() < (now[-1] if now else share)
        out.append((t, address, agent, auth, blocked))
        while blocked and draw.random() < 0.3:                        # it tries again, and may be served
            t += draw.randrange(1, 90 * 10**9)
            if t > T:
                return out
            blocked = draw.random() < 0.7
            out.append((t, address, agent, auth, blocked))


def entries(name, found, serial):
    for t, address, agent, auth, blocked in found:
        serial[0] += 1
        n = serial[0]
        trace = f"projects/demo/traces/{n:032x}"
        place = {"resource": {"type": "cloud_run_revision", "labels": {"project_id": "demo", "location": "us-central1", "service_name": name, "revision_name": f"{name}-1"}}, "trace": trace}
        yield {"insertId": f"v{n}", "logName": "projects/demo/logs/run.googleapis.com%2Fstdout", "timestamp": text(t), "severity": "DEBUG", "spanId": f"{n:016x}",
               "labels": {"firebase-log-type": "callable-request-verification", "execution_id": f"e{n}", "instanceId": "i"},
               "jsonPayload": {"message": "Callable request verification passed", "verifications": {"app": "MISSING" if blocked else "VALID", "auth": auth}}, **place}
        http = {"requestMethod": "POST", "status": 200, "userAgent": AGENTS[agent]}
        if address:
            http["remoteIp"] = address
        yield {"insertId": f"r{n}", "logName": "projects/demo/logs/run.googleapis.com%2Frequests", "timestamp": text(t), "severity": "INFO", "httpRequest": http, "spanId": f"{n:016x}", **place}


def truth(found, T, reference):
    """(segments as [(from, m, r)], since or None): since where the alarm rings."""
    if reference is None:
        asked = [SimpleNamespace(t=t, address=a, kind_and_app=PERSON[g], auth=auth, on=False, blocked=int(b)) for t, a, g, auth, b in found]
        u = segmenting.unit(asked, T, 35, 0.01)
        return [(text(u.instant(b)), m, r) for b, e, m, r in u.segments], text(u.instant(u.begin)) if u.alarm else None
    hours = lambda t: (t - LAST * DAY) / HOUR + 40 * 24
    columns = reference.columns([(hours(t), a, PERSON[g], auth, int(b)) for t, a, g, auth, b in found])
    u = reference.unit(columns, hours(T))
    instant = lambda h: text(int(h + u["first"] - 40 * 24) * HOUR + LAST * DAY)
    return [(instant(b), int(m), int(r)) for b, e, m, r in u["segments"]], instant(u["since"]) if u["alarm"] else None


def answers(program, log, T, key):
    done = subprocess.run([program, "report", str(log), "--format", "json", "--as-of", text(T), "--set", f"fingerprint-key={key}"], capture_output=True, text=True)
    if not done.stdout:
        sys.exit(done.stderr)
    return {f["function"]: f for f in json.loads(done.stdout)["functions"]}


def seen(function):
    readiness, since = function["readiness"], function["readiness"]["failingSince"]
    segments = [(s["from"], s["requests"], s["blocked"]) for s in readiness["segments"]]
    late = [s for s in segments if since and s[0] >= since]
    share = sum(s[2] for s in late) / sum(s[1] for s in late) if late else None
    # A platform's alarm is another unit's, whose share is its own.
    failing = [r for r in readiness["reasons"] if r["code"] == "failing-now" and share is not None and abs(r["value"] - share) < 1e-9]
    return segments, since if failing else None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--callcheck", required=True)
    parser.add_argument("--functions", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--reference")
    parser.add_argument("--keep")
    options = parser.parse_args()
    reference = None
    if options.reference:
        spec = importlib.util.spec_from_file_location("reference", options.reference)
        reference = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(reference)
    folder = Path(options.keep or tempfile.mkdtemp())
    folder.mkdir(exist_ok=True)
    bad, counts = [], Counter()
    for batch in range((options.functions + BATCH - 1) // BATCH):
        draw = random.Random(f"{options.seed}/{batch}")
        T = LAST * DAY + draw.randrange(6 * HOUR, DAY - 1)
        serial, functions, lines = [0], {}, []
        for i in range(min(BATCH, options.functions - batch * BATCH)):
            found = requests(draw, T)
            if found:
                functions[f"f{i:03}"] = found
        steady = [((LAST - d) * DAY + HOUR, "10.0.0.1", 0, "VALID", False) for d in range(34, 0, -1)]
        for name, found in [("zsteady", steady), *functions.items()]:
            lines += [json.dumps(e) for e in entries(name, found, serial)]
        log = folder / f"batch{batch:03}.json.gz"
        log.write_bytes(gzip.compress("\n".join(lines).encode(), 1))
        shown = [answers(options.callcheck, log, T, key) for key in ("k1", "k2")]
        for name, found in functions.items():
            right = truth(found, T, reference)
            counts["functions"] += 1
            counts["segments"] += len(right[0])
            counts["failing"] += right[1] is not None
            if all(seen(answer[name]) != right for answer in shown):
                bad.append((log, name, right, seen(shown[0][name])))
        if not options.keep:
            log.unlink()
    for log, name, right, mine in bad[:10]:
        print(f"{log} {name}\n  right {right}\n  shown {mine}")
    print(f"{counts['functions']} functions, {counts['segments']} segments, {counts['failing']} failing: " + (f"{len(bad)} differ" if bad else "all agree"))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
