import Rollout
import Testing

@testable import callcheck

/// How far a rollout is, in every shape that a template has.
@Suite struct TemplateTests {
    private func template(
        _ expression: String, value: String = #"{"value":"true"}"#, other: String = #"{"value":"false"}"#,
        conditions: String = "", values: String = ""
    ) -> String {
        """
        {"conditions":[\(conditions){"name":"c","expression":"\(expression)","tagColor":"BLUE"}],"parameters":\
        {"AppAttestEnabled":{"defaultValue":\(other),"conditionalValues":{\(values)"c":\(value)},"valueType":"BOOLEAN"}}}
        """
    }

    private func read(_ text: String, _ parameter: String = "AppAttestEnabled") throws(TemplateFault) -> RolloutTemplate
    {
        try TemplateDocument(source: "t.json", bytes: Array(text.utf8)).rollout(of: parameter)
    }

    private func patched(_ text: String, _ percent: Double) throws(TemplateFault) -> String {
        let bytes = try TemplateDocument(source: "t.json", bytes: Array(text.utf8))
            .patched("AppAttestEnabled", percent: percent)
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let expressions: [(String, Double, String?, String)] = [
        ("percent <= 10", 10, nil, "percent <= 25"),
        ("percent<=10", 10, nil, "percent<=25"),
        ("device.os == 'ios' && percent <= 10", 10, nil, "device.os == 'ios' && percent <= 25"),
        ("percent('rollout_seed') between 0 and 10", 10, "rollout_seed", "percent('rollout_seed') between 0 and 25"),
        ("percent between 20 and 30.5", 10.5, nil, "percent between 20 and 45"),
        ("percent('s') < 10 && device.os == 'ios'", 10, "s", "percent('s') < 25 && device.os == 'ios'"),
        ("percent > 90", 10, nil, "percent > 75"),
        ("percent >= 90", 10, nil, "percent >= 75"),
        ("app.id == '1:12:ios:ab' && percent <= 0.5", 0.5, nil, "app.id == '1:12:ios:ab' && percent <= 25"),
        // As Google's interfaces write these characters.
        (
            #"device.os == \u0027ios\u0027 \u0026\u0026 percent \u003c= 10"#, 10, nil,
            #"device.os == \u0027ios\u0027 \u0026\u0026 percent \u003c= 25"#
        ),
        (
            #"app.userProperty['é\ud83d\ude00'] == 'a && b' && percent <= \u0031\u0030"#, 10, nil,
            #"app.userProperty['é\ud83d\ude00'] == 'a && b' && percent <= 25"#
        ),
        ("percent('10') <= 10", 10, "10", "percent('10') <= 25"),
    ]

    /// Every documented form, and the same with the one number changed.
    @Test(arguments: expressions.indices)
    func expression(_ index: Int) throws {
        let (expression, percent, seed, changed) = TemplateTests.expressions[index]
        let rollout = try read(template(expression))
        #expect(rollout.percent == percent)
        #expect(rollout.seed == seed)
        #expect(rollout.condition == "c")
        #expect(rollout.defaultValue == false)
        #expect(try patched(template(expression), 25) == template(changed))
    }

    /// `firebase --json`, REST with its version, and a parameter in a group.
    @Test func shapes() throws {
        let bare = template("percent <= 10")
        let version = bare.dropLast() + #","version":{"versionNumber":"12","updateUser":{"email":"a@b.c"}}}"#
        #expect(try read(bare).version == nil)
        #expect(try read(String(version)).version == 12)
        let envelope = "{\n  \"status\": \"success\",\n  \"result\": \(version)\n}\n"
        #expect(try read(envelope).version == 12)
        #expect(try patched(envelope, 50) == version.replacing("<= 10", with: "<= 50"))
        let group = bare.replacing(#""parameters":"#, with: #""parameterGroups":{"iOS":{"parameters":"#) + "}}"
        #expect(try read(group).percent == 10)
        #expect(throws: TemplateFault.ambiguousParameter) {
            try read(group.dropLast() + #","parameters":{"AppAttestEnabled":{"defaultValue":{"value":"true"}}}}"#)
        }
    }

    @Test func consoleRollout() throws {
        let text = template("true", value: #"{"rolloutValue":{"rolloutId":"r_1","value":"true","percent":12.5}}"#)
        let rollout = try read(text)
        #expect(rollout.percent == 12.5)
        #expect(rollout.isConsoleRollout)
        #expect(throws: TemplateFault.consoleRollout) { try patched(text, 25) }
        let byDefault =
            #"{"parameters":{"AppAttestEnabled":{"defaultValue":{"rolloutValue":{"value":"true","percent":5}}}}}"#
        #expect(try read(byDefault).percent == 5)
        let off = #"{"rolloutValue":{"value":"false","percent":5}}"#
        #expect(throws: TemplateFault.inverted) { try read(template("true", value: off, other: #"{"value":"true"}"#)) }
        #expect(throws: TemplateFault.inverted) {
            try read(byDefault.replacing(#""value":"true""#, with: #""value":"false""#))
        }
    }

    @Test func everybodyOrNobodyElse() throws {
        let on = #"{"parameters":{"AppAttestEnabled":{"defaultValue":{"value":"TRUE"}}}}"#
        #expect(try read(on).percent == 100)
        #expect(try read(on).defaultValue == true)
        #expect(try read(on).condition == nil)
        let everyone = try read(template("device.os == 'ios'"))
        #expect(everyone.percent == 100 && everyone.isUnconditional)
        #expect(everyone.condition == "c")
        #expect(everyone.defaultValue == false)
        #expect(try !read(template("percent <= 100")).isUnconditional)
        // Conditions of other systems, and of testers, change no percentage.
        let more = template(
            "percent <= 10",
            conditions:
                #"{"name":"a","expression":"device.os == 'android'"},{"name":"t","expression":"device.country in ['DE']"},"#,
            values: #""a":{"value":"true"},"t":{"value":"true"},"#)
        #expect(try read(more).percent == 10)
        // The first condition that holds decides.
        let first = template(
            "percent <= 10", conditions: #"{"name":"i","expression":"device.os == 'ios'"},"#,
            values: #""i":{"value":"true"},"#)
        #expect(try read(first).percent == 100)
        // Nobody gets past a condition that holds for everybody, and those before it matter.
        let closed = #"{"name":"i","expression":"device.os == 'ios'"},"#
        for value in [#"{"value":"false"}"#, #"{"useInAppDefault":true}"#] {
            let text = template("percent <= 10", conditions: closed, values: #""i":\#(value),"#)
            #expect(throws: TemplateFault.noCondition) { try read(text) }
            let turned = text.replacing(closed, with: "").replacing(
                #""tagColor":"BLUE"}]"#, with: #""tagColor":"BLUE"},\#(closed.dropLast())]"#)
            #expect(try read(turned).percent == 10)
            let on = turned.replacing(#""defaultValue":{"value":"false"}"#, with: #""defaultValue":{"value":"true"}"#)
            #expect(try read(on).defaultValue == true)
        }
        #expect(try read(template("percent <= 10", other: #"{"useInAppDefault":true}"#)).defaultValue == nil)
    }

    /// The first condition that holds decides, so that some users never get to the percentage.
    @Test func exceptions() throws {
        let conditions = #"""
            {"name":"old","expression":"app.version.<(['1.2'])"},{"name":"a","expression":"device.os == 'android'"},\
            {"name":"t","expression":"device.country in ['DE']"},{"name":"u","expression":"device.language in ['fr']"},
            """#.replacing("\\\n", with: "")
        let values =
            #""old":{"value":"false"},"a":{"value":"false"},"t":{"value":"true"},"u":{"useInAppDefault":true},"#
        let text = template("percent <= 10", conditions: conditions, values: values)
        #expect(try read(text).percent == 10)
        #expect(try read(text).exceptions == ["old", "u"])
        // Behind the percentage they decide about the others, who have no App Attest anyway.
        let last = template("percent <= 10").replacing(
            #""tagColor":"BLUE"}]"#, with: #""tagColor":"BLUE"},{"name":"old","expression":"app.version.<(['1.2'])"}]"#
        ).replacing(#""conditionalValues":{"#, with: #""conditionalValues":{"old":{"value":"false"},"#)
        #expect(try read(last).exceptions == [])
        #expect(try read(template("percent <= 10 && device.country in ['DE']")).isNarrowed)
    }

    @Test func siblingsGrowAlong() throws {
        let text =
            template("percent <= 10").dropLast(2)
            + #","other":{"conditionalValues":{"c":{"value":"1"}}},"third":{"defaultValue":{"value":"2"}}}}"#
        #expect(try read(String(text)).siblings == ["other"])
    }

    private static let faults: [(String, TemplateFault)] = [
        (#"{"parameters":{}}"#, .noParameter(boolean: [])),
        (
            #"{"parameters":{"b":{"defaultValue":{"value":"true"}},"a":{"valueType":"BOOLEAN"},"x":{}}}"#,
            .noParameter(boolean: ["a", "b"])
        ),
        (#"{"parameters":{"AppAttestEnabled":{"defaultValue":{"value":"false"}}}}"#, .noCondition),
        (#"{"parameters":{"AppAttestEnabled":{"defaultValue":{"value":"maybe"}}}}"#, .notBoolean),
        (#"{"parameters":{"AppAttestEnabled":{"conditionalValues":{"gone":{"value":"true"}}}}}"#, .unknownCondition),
    ]

    @Test(arguments: faults.indices)
    func fault(_ index: Int) {
        #expect(throws: TemplateTests.faults[index].1) { try read(TemplateTests.faults[index].0) }
    }

    @Test func faultsOfConditions() {
        #expect(throws: TemplateFault.noCondition) { try read(template("device.country in ['DE']")) }
        #expect(throws: TemplateFault.noCondition) { try read(template("device.os == 'android' && percent <= 10")) }
        #expect(throws: TemplateFault.noCondition) { try read(template("percent <= 101")) }
        #expect(throws: TemplateFault.inverted) {
            try read(template("percent <= 10", value: #"{"value":"false"}"#, other: #"{"value":"true"}"#))
        }
        #expect(throws: TemplateFault.severalConditions) { try read(template("percent <= 10 && percent('a') <= 50")) }
        #expect(throws: TemplateFault.personalization) {
            try read(template("percent <= 10", value: #"{"personalizationValue":{"personalizationId":"p"}}"#))
        }
        #expect(throws: TemplateFault.experiment) {
            try read(template("percent <= 10", value: #"{"experimentValue":{"experimentId":"1"}}"#))
        }
        #expect(throws: TemplateFault.notBoolean) {
            try read(template("true", value: #"{"rolloutValue":{"value":"true","percent":"nan"}}"#))
        }
        #expect(throws: TemplateFault.notBoolean) {
            try read(template("percent <= 10", value: #"{"useInAppDefault":true}"#))
        }
        #expect(throws: TemplateFault.noRoom) { try patched(template("percent between 80 and 90"), 25) }
    }

    /// Every byte but those of the number stays: key order, unknown keys, white space.
    @Test func patchKeepsEverythingElse() throws {
        let text = """
            {
             "zeta" : [1.50, {"k":  null}],
            \t"conditions": [ {"tagColor":"BLUE","extra":{"a":"percent <= 10"},"expression":"percent <= 10","name":"c"} ],
              "parameters":{"z":{},"AppAttestEnabled":{"conditionalValues":{"c":{"value":"true"}},"defaultValue":{"value":"false"},
              "description":"a\\u00e9\\n"}}  }
            """
        let changed = try patched(text, 10.28)
        #expect(changed == text.replacing(#""expression":"percent <= 10""#, with: #""expression":"percent <= 10.28""#))
        #expect(try read(changed).percent == 10.28)
    }

    @Test func messagesNameTheParameter() {
        let faults: [TemplateFault] = [
            .noParameter(boolean: ["a"]), .ambiguousParameter, .noCondition, .severalConditions, .inverted, .notBoolean,
            .personalization, .experiment, .unknownCondition, .consoleRollout,
        ]
        for fault in faults {
            let message = fault.message(file: "t.json", parameter: "flag") { "<\($0)>" }
            #expect(message.hasPrefix("t.json: ") && message.contains("flag"), "\(fault)")
        }
    }
}
