"""Which verifications are believed: functions commonly log what their clients send."""
from collections import defaultdict

from moments import EARLIEST, day
from reader import DOCUMENTED, FAILED, PASSED


def _contradicts(v):
    """The message is not the SDK's, or says the opposite of the statuses."""
    if v.message is None or not (v.message == PASSED or v.message.startswith((FAILED, DOCUMENTED))):
        return True
    return v.passed if v.message.startswith(FAILED) else not v.passed if v.message == PASSED else False


def _repeated(group):
    """All but the earliest within neighbouring days; at one nanosecond those with other statuses count, too."""
    lies_on = lambda v: day(v.time if v.time is not None else v.received or EARLIEST)
    group = sorted(group, key=lambda v: (lies_on(v), v.time is None, v.time or 0))
    head, kept, out = None, set(), []
    for v in group:
        if head is None or lies_on(v) > lies_on(head) + 1:
            head, kept = v, {(v.app, v.auth)}
        elif v.time is not None and v.time == head.time and (v.app, v.auth) not in kept:
            kept.add((v.app, v.auth))
        else:
            out.append(v)
    return out


def believe(verifications):
    """-> (accepted, {identity: {"unlabelled": […], "otherMessage": […], "repeated": […]}})"""
    discarded = defaultdict(lambda: {"unlabelled": [], "otherMessage": [], "repeated": []})
    labelled = {v.of for v in verifications if v.labelled}
    speaks = {v.source for v in verifications if v.message is not None}
    rest = []
    for v in verifications:
        if v.labelled and (v.message is not None or v.source in speaks) and _contradicts(v):
            discarded[v.of]["otherMessage"].append(v)
        elif not v.labelled and v.of in labelled:
            discarded[v.of]["unlabelled"].append(v)
        else:
            rest.append(v)
    groups = defaultdict(list)
    for v in rest:
        if v.execution and v.execution[0]:
            groups[(v.of, "execution", v.execution)].append(v)
        elif v.span is not None:
            groups[(v.of, "span", v.span, v.trace)].append(v)
    gone = set()
    for group in groups.values():
        for v in _repeated(group) if len(group) > 1 else []:
            discarded[v.of]["repeated"].append(v)
            gone.add(id(v))
    return [v for v in rest if id(v) not in gone], discarded
