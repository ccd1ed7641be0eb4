"""Globs without brackets or question marks: only `*` is special here."""


def matches(name, pattern):
    pieces = pattern.split("*")
    if len(pieces) == 1:
        return name == pieces[0]
    if not (name.startswith(pieces[0]) and name.endswith(pieces[-1])):
        return False
    position, end = len(pieces[0]), len(name) - len(pieces[-1])
    for piece in pieces[1:-1]:
        found = name.find(piece, position, end)
        if found < 0:
            return False
        position = found + len(piece)
    return position <= end
