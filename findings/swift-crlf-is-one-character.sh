#!/usr/bin/env bash
# In Swift, a log with CRLF line ends is one line.
#
# Version:  Swift 6.3.1 (Linux), standard library.
# Guess:    splitting at "\n" gives three lines, each with a "\r" at its end, which JSON parsers skip.
# Behaviour: a Character is a grapheme, and "\r\n" is one. Nothing in such a text equals "\n": split, firstIndex,
#           hasSuffix and the regex \n find no line end, while the same calls on its bytes find three.
# Output seen:
#   LF:   3 lines, 3 by regex, ends with a line feed: true, 3 by bytes
#   CRLF: 1 lines, 0 by regex, ends with a line feed: false, 3 by bytes
# Why it hurts: a log that passed through Windows, an HTTP body or PowerShell's redirection is read as one record, which
#           is then one malformed line of which the reader says little: 1 bad line of 1. Tests on LF never show it, and a
#           parser that skips bad lines reports an empty log.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
swift --version 2>&1 | grep -q 'Swift version 6\.3\.1' || exit 2

cat > lines.swift <<'SWIFT'
func show(_ title: String, _ end: String) {
  let log = ["VALID", "MISSING", "INVALID"].map { "{\"app\": \"\($0)\"}" + end }.joined()
  let lines = log.split(separator: "\n").count
  let ends = log.matches(of: /\n/).count
  let bytes = log.utf8.split(separator: UInt8(ascii: "\n")).count
  print("\(title) \(lines) lines, \(ends) by regex, ends with a line feed: \(log.hasSuffix("\n")), \(bytes) by bytes")
}
show("LF:  ", "\n")
show("CRLF:", "\r\n")
SWIFT
swiftc -swift-version 6 lines.swift -o lines 2>errors || { cat errors >&2; exit 2; }
seen=$(./lines)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
LF:   3 lines, 3 by regex, ends with a line feed: true, 3 by bytes
CRLF: 1 lines, 0 by regex, ends with a line feed: false, 3 by bytes
TEXT
