// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration
import MPinWire
import Testing

/// Text that comes from elsewhere, and identities made of account names.
struct TextTests {
    @Test(arguments: [
        ("plain é 😀", "plain é 😀"), ("a\u{1B}[2Jb", "a?[2Jb"), ("a\r\nb\tc", "a??b?c"), ("bell\u{7}", "bell?"),
        ("\u{7F}", "?"), ("\u{9B}31m", "?31m"), ("a\u{202E}b", "a?b"), ("a\u{2066}b\u{2069}", "a?b?"),
        ("zero\u{200B}width", "zero?width"), ("\u{FEFF}bom", "?bom"), ("line\u{2028}end", "line?end"),
        ("so\u{AD}ft", "so?ft"), ("\u{E0041}", "?"), ("", ""),
    ])
    func `control characters become question marks`(_ text: String, _ shown: String) {
        #expect(Array(VisibleText.sanitized(text, limit: 100).utf8) == Array(shown.utf8))
    }

    @Test
    func `a text is cut between characters`() {
        #expect(VisibleText.sanitized("ééé", limit: 5) == "éé")
        #expect(VisibleText.sanitized("abc", limit: 0) == "")
    }

    @Test
    func `all bytes there are leave nothing that is not UTF-8`() {
        for first in UInt8.min...UInt8.max {
            for second in UInt8.min...UInt8.max {
                let text = String(decoding: [first, second, 0x80], as: UTF8.self)
                let shown = Array(VisibleText.sanitized(text, limit: 20).utf8)
                let isWellFormed = UTF8Sequence.isWellFormed(shown.span)
                #expect(isWellFormed)
            }
        }
    }

    @Test(arguments: [
        ("%u", "bob", "bob"), ("%u@example.org", "bob", "bob@example.org"), ("x-%u%%", "bob", "x-bob%"),
        ("CORP\\%u", "jörg", "CORP\\jörg"), ("%%u%u", "a", "%ua"), ("%u@example.org", "%u", "%u@example.org"),
    ])
    func `a rule makes an identity of an account`(_ template: String, _ account: String, _ identity: String) throws {
        #expect(try #require(UserMap(template)).identity(for: account) == identity)
    }

    @Test(arguments: ["", "bob", "%", "%u%", "%U", "%u %u", "%u%u", "a b%u", "%u\n", "%h"])
    func `no rule`(_ template: String) {
        #expect(UserMap(template) == nil)
    }

    @Test(arguments: ["", "a b", "a\nb", String(repeating: "x", count: 300)])
    func `no identity`(_ account: String) throws {
        #expect(try #require(UserMap("%u@example.org")).identity(for: account) == nil)
    }
}
