// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPinServer
import MPinServerRoles
import MPinServerStorage
import Testing

/// The syntax of `server.conf`, and its former syntax.
struct ConfigurationSyntaxTests {
    private func read(_ text: String) throws -> ServerConfiguration {
        try ConfigurationFile.parse(text, name: "server.conf")
    }

    private func fault(_ text: String) -> ServerError? {
        do {
            _ = try read("# first\n" + text)
            return nil
        } catch { return error as? ServerError }
    }

    @Test(arguments: [
        ("service_logo_url = Our house", "Our house"), ("service_logo_url=Our house\t# as on the door", "Our house"),
        ("service_logo_url = \"Our # house\"", "Our # house"), ("service_logo_url = \" x \" # why", " x "),
        ("service_logo_url = \"\"", ""), ("service_logo_url =", ""), ("service_logo_url = # none", ""),
        ("service_logo_url = a = b", "a = b"), ("service_logo_url = the \"house\"", "the \"house\""),
        ("  service_logo_url = x\r\n\t# y\r\n\r\nhold_unverified = yes\r\n", "x"),
    ])
    func `values, quotes and comments`(_ text: String, _ name: String) throws {
        #expect(try read(text).roles.serviceLogoURL == name)
        #expect(
            try read("#" + text.replacing("\n", with: "\n#")).roles.serviceLogoURL
                == ServerConfiguration().roles.serviceLogoURL)
    }

    @Test(arguments: ["House#1", "House #1#2 is the comment, #a#b", "#", "House#"])
    func `a hash without quotes is a comment behind white space alone`(_ value: String) throws {
        let isValue = value.prefix { $0 != " " }.dropFirst().contains("#")
        let error = fault("service_logo_url = " + value)
        #expect((error != nil) == isValue)
        guard let error else { return }
        #expect(error.kind == .configuration)
        #expect(
            error.message
                == "server.conf:2: a value with '#' needs double quotes, and a comment needs a space before '#'"
        )
        #expect(error.hint == "Write key = \"value\" or key = value # comment.")
        #expect(try read("service_logo_url = \"\(value)\"").roles.serviceLogoURL == value)
    }

    @Test(arguments: ["service_logo_url = \"x", "service_logo_url = \"x\" y", "service_logo_url = \"x\"y # z"])
    func `quotes are closed, and only a comment follows`(_ text: String) {
        #expect(
            fault(text)?.message
                == "server.conf:2: a quoted value must end with a double quote, and only a comment may follow it"
        )
    }

    @Test(arguments: ["service_logo_url", "service_logo_url = a\u{1}b", "# fine\n\u{0}"])
    func `a line is a key and its value`(_ text: String) {
        let line = text.hasPrefix("#") ? 3 : 2
        #expect(fault(text)?.message == "server.conf:\(line): expected 'key = value'")
    }

    @Test func `there are no sections`() {
        #expect(fault("[server]")?.message == "server.conf:2: this file has no sections")
    }

    @Test(arguments: ["on", "true", "1", "Yes", "off", "0", "NO", ""])
    func `a flag is yes or no`(_ word: String) {
        #expect(fault("hold_unverified = \(word)")?.message == "server.conf:2: 'hold_unverified' must be yes or no")
    }
}
