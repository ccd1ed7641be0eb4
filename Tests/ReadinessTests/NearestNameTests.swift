import Testing

@testable import Readiness

/// "Did you mean".
@Suite struct NearestNameTests {
    private let names = ["addMessage", "addMessages", "deleteAccount", "adminGenerateReport", "get_feed", "vote"]

    @Test(arguments: [
        ("addMesage", "addMessage"), ("AddMessage", "addMessage"), ("add-message", "addMessage"),
        ("deletAcount", "deleteAccount"), ("deleteAcconut", "deleteAccount"), ("get-fed", "get_feed"),
        ("admn*", "adminGenerateReport"), ("admin*Raport", "adminGenerateReport"), ("*Acount", "deleteAccount"),
        ("vot", "vote"), ("v?tee", "vote"),
    ])
    func aMistypedNameFindsTheOneThatWasMeant(typed: String, name: String) {
        #expect(NearestName.of(typed, among: names) == name)
    }

    @Test(arguments: ["", "x", "vo", "zz*", "z*", "sendInvoice", "delete", "addMessageToTheChannel", "????"])
    func whatIsFarFromAllFindsNone(typed: String) {
        #expect(NearestName.of(typed, among: names.filter { $0 != "vote" }) == nil)
    }

    /// One mistake for every three characters, and three at most.
    @Test(arguments: [
        ("abcde", "abcdx", true), ("abcde", "abcxy", false), ("abcdef", "abcdxy", true),
        ("abcdefgh", "abcdexyz", false),
        ("abcdefghi", "abcdefxyz", true), ("abcdefghijklmno", "abcdefghijkwxyz", false),
    ])
    func mistakesAllowed(typed: String, name: String, isNear: Bool) {
        #expect(NearestName.of(typed, among: [name]) == (isNear ? name : nil))
    }

    @Test func ofTwoThatAreEquallyNearTheFirstIsTaken() {
        #expect(NearestName.of("scanA", among: ["scanC", "scanB", "scanD"]) == "scanB")
        #expect(NearestName.of("scanA", among: []) == nil)
    }

    @Test(arguments: [
        ("", "", 0), ("", "abc", 3), ("abc", "", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("ca", "abc", 3),
        ("abcdef", "abdcef", 1), ("*", "anything", 0), ("a*", "", 1), ("a*c", "abbbc", 0), ("a*d", "abbbc", 1),
        ("a?c", "abc", 0), ("?", "", 1), ("**b**", "abc", 0),
    ])
    func distanceCountsSingleChanges(pattern: String, name: String, distance: Int) {
        #expect(NearestName.distance(Array(pattern.unicodeScalars), Array(name.unicodeScalars)) == distance)
    }
}
