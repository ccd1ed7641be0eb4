#!/usr/bin/env bash
# Swift writes counts by status as a list, in an order that changes from run to run.
#
# Version:  Swift 6.3.1 (Linux), JSONEncoder and JSONDecoder of its Foundation.
# Guess:    a dictionary whose keys are an enum with String raw values is written as an object, {"VALID":527}, as
#           [String: Int] is, and an object is read back into it.
# Behaviour: without a conformance to CodingKeyRepresentable it is written as one list of keys and values in turn, even
#           with .sortedKeys, and reading the object fails.
# Output seen:
#   [String: Int]:        {"MISSING":84,"VALID":527}
#   [Status: Int]:        a list: keys and values in turn
#   reads the object:     false
#   CodingKeyRepresentable: {"MISSING":84,"VALID":527}
# Why it hurts: statuses are the natural enum of this field, so replacing strings by the enum, a refactoring that compiles
#           and passes every round trip, changes the format of reports: `.app.VALID` in jq ends with an error, and
#           goldens differ at random because a dictionary has no order. What was stored before is no longer read.
set -euo pipefail
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT; cd "$work"
swift --version 2>&1 | grep -q 'Swift version 6\.3\.1' || exit 2

cat > counts.swift <<'SWIFT'
import Foundation

enum Status: String, Codable { case valid = "VALID", missing = "MISSING" }
enum Key: String, Codable, CodingKeyRepresentable { case valid = "VALID", missing = "MISSING" }

let encoder = JSONEncoder()
encoder.outputFormatting = .sortedKeys
func text(_ value: some Encodable) throws -> String { String(decoding: try encoder.encode(value), as: UTF8.self) }

let object = try text(["VALID": 527, "MISSING": 84])
print("[String: Int]:       ", object)
let list = try text([Status.valid: 527, .missing: 84])
let either = [#"["VALID",527,"MISSING",84]"#, #"["MISSING",84,"VALID",527]"#]
print("[Status: Int]:       ", either.contains(list) ? "a list: keys and values in turn" : list)
print("reads the object:    ", (try? JSONDecoder().decode([Status: Int].self, from: Data(object.utf8))) != nil)
print("CodingKeyRepresentable:", try text([Key.valid: 527, .missing: 84]))
SWIFT
swiftc -swift-version 6 counts.swift -o counts 2>errors || { cat errors >&2; exit 2; }
seen=$(./counts)
printf '%s\n' "$seen"
diff - <(printf '%s\n' "$seen") <<'TEXT' || exit 1
[String: Int]:        {"MISSING":84,"VALID":527}
[Status: Int]:        a list: keys and values in turn
reads the object:     false
CodingKeyRepresentable: {"MISSING":84,"VALID":527}
TEXT
