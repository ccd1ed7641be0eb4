"""As much YAML as policies use: block mappings and lists, flow collections, plain and quoted scalars, comments."""
import re


def _strip(line):
    """Without a comment; a # inside quotes or a word is none."""
    quote = None
    for i, c in enumerate(line):
        if quote:
            quote = None if c == quote else quote
        elif c in "\"'":
            quote = c
        elif c == "#" and (i == 0 or line[i - 1] == " "):
            return line[:i].rstrip()
    return line.rstrip()


def scalar(text):
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    if text[:1] in "[{":
        return _flow(text)
    return {"true": True, "false": False, "null": None, "~": None, "": None}.get(text, text)


def _flow(text):
    parts, depth, last = [], 0, 1
    for i, c in enumerate(text):
        depth += (c in "[{") - (c in "]}")
        if depth == 1 and c == "," or depth == 0 and i:
            parts.append(text[last:i])
            last = i + 1
    parts = [p for p in parts if p.strip()]
    if text[0] == "[":
        return [scalar(p) for p in parts]
    return {scalar(k): scalar(v) for k, _, v in (p.partition(":") for p in parts)}


def _block(lines, indent):
    """lines: [(indent, text)]; takes those of this block from the front."""
    if lines[0][1].startswith("- "):
        out = []
        while lines and lines[0][0] == indent and lines[0][1].startswith("- "):
            text = lines[0][1][2:]
            if re.match(r"[\w-]+:(\s|$)", text):
                lines[0] = (indent + 2, text)
                out.append(_block(lines, indent + 2))
            else:
                lines.pop(0)
                out.append(scalar(text))
        return out
    out = {}
    while lines and lines[0][0] == indent and not lines[0][1].startswith("- "):
        key, _, value = lines.pop(0)[1].partition(":")
        if value.strip():
            if value.strip()[0] in "[{":
                while value.count("[") + value.count("{") > value.count("]") + value.count("}"):
                    value += " " + lines.pop(0)[1]
            out[scalar(key)] = scalar(value)
        else:
            out[scalar(key)] = _block(lines, lines[0][0]) if lines and (lines[0][0] > indent or lines[0][1].startswith("- ")) else None
    return out


def load(text):
    lines = [(len(l) - len(l.lstrip()), l.strip()) for l in map(_strip, text.splitlines()) if l.strip()]
    return _block(lines, lines[0][0]) if lines else {}
