import Testing
import Verifications

@testable import LogStream

/// SipHash-1-3 against two implementations that are not ours.
///
/// CPython 3.11 and later hashes bytes with SipHash-1-3 under the zero key when it is started with `PYTHONHASHSEED=0`;
/// the package siphash24 (1.9, from PyPI) has `siphash13` with any key, here the bytes 0 to 15. The values were printed
/// by
///
/// ```
/// import siphash24, struct
/// def texts(*all): return b"".join(text + struct.pack("<Q", len(text)) for text in all)
/// for n in [0, 1, 7, 8, 9, 63, 64, 247, 248, 256]:
///     data = texts(bytes(i & 0xff for i in range(n)))
///     print(n, hex(hash(data) & (2**64 - 1)), siphash24.siphash13(data, key=bytes(range(16))).digest()[::-1].hex())
/// ```
@Suite struct SipHashTests {
    private static let counting = HashKey(low: 0x0706_0504_0302_0100, high: 0x0f0e_0d0c_0b0a_0908)

    @Test(
        arguments: [
            (0, 0xbd60_acb6_58c7_9e45, 0x5cb9_6f6b_a2a4_fcfc), (1, 0x7467_d652_4c08_4857, 0x0102_61f8_5d3b_09ac),
            (7, 0xec72_aa5f_2eb1_b351, 0x0b69_7814_b012_b050), (8, 0xd0ff_a08f_442e_9ff9, 0x3a5b_ead4_121c_bfd5),
            (9, 0x11b7_8dd0_46df_a373, 0xe869_8da1_0220_f789), (63, 0x0ce4_a588_c998_c0c5, 0x633c_d1b0_02ac_12f8),
            (64, 0x2926_4d22_21cf_275e, 0x2f7d_7578_c1c6_9576), (247, 0xe3ce_4fa2_c6fa_30c3, 0x2798_45ad_c7da_8e56),
            (248, 0x2197_f293_bfa8_ae44, 0xf8eb_fc15_8f7b_3617), (256, 0x2984_b6d7_5949_603a, 0x6687_5ff6_8936_b30d),
        ] as [(Int, UInt64, UInt64)])
    func textsOfEveryLengthClass(length: Int, underZeroKey: UInt64, underCountingKey: UInt64) {
        let text = (0..<length).map { UInt8(truncatingIfNeeded: $0) }
        #expect(hash([text], key: .fixed) == underZeroKey)
        #expect(hash([text], key: SipHashTests.counting) == underCountingKey)
    }

    /// Behind a text whose length is no multiple of eight, everything is added at an odd place:
    /// `texts(b"demo", b"us-central1", b"addMessage") + struct.pack("<Q", 1)`.
    @Test func textsAndWordsInARow() {
        let texts = ["demo", "us-central1", "addMessage"].map { Array($0.utf8) }
        #expect(hash(texts, word: 1, key: .fixed) == 0x8e16_a3fe_30c9_0158)
        #expect(hash(texts, word: 1, key: SipHashTests.counting) == 0x2666_f4e2_8598_9a79)
    }

    @Test func textsInARowDoNotRunIntoOneAnother() {
        let cuts = [["ab", "c"], ["a", "bc"], ["", "abc"], ["abc", ""]].map { $0.map { Array($0.utf8) } }
        #expect(Set(cuts.map { hash($0, key: .fixed) }).count == cuts.count)
    }

    private func hash(_ texts: [[UInt8]], word: UInt64? = nil, key: HashKey) -> UInt64 {
        var hash = SipHash(key: key)
        for text in texts { withText(text) { hash.add($0) } }
        if let word { hash.add(word: word) }
        return hash.finish()
    }
}
