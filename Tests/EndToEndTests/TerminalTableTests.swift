// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import Testing

extension EndToEnd {
    /// Tables on a terminal, and what programs read instead.
    @Suite struct TerminalTableTests {
        private static let escape = "\u{1b}["

        private func screen(_ program: String, _ words: [String], _ environment: String...) throws -> String {
            let terminal = try Terminal(
                "/usr/bin/env", ["COLUMNS=100", "TERM=xterm"] + environment + [program] + words)
            #expect(terminal.end() == 0, "\(terminal.screen)")
            return terminal.screen
        }

        /// A server with a device, a blocked user's device, and an invitation.
        private func machine() throws -> Machine {
            let machine = try Machine.enrolled()
            _ = try machine.invitation(for: "bob")
            _ = try machine.enroll("test", pin: "4963")
            return machine
        }

        @Test func `the server's tables have aligned columns, relative times and colors`() throws {
            let machine = try machine(), place = ["--dir", machine.directory + "/server"]
            let audit = try screen(Products.server, ["audit"] + place).split(separator: "\n").map(String.init)
            #expect(audit[0].hasPrefix("TIME ") && audit[0].contains("  EVENT "), "\(audit)")
            let wrong = try #require(audit.first { $0.contains("\(Self.escape)31mwrong-pin\(Self.escape)0m") })
            #expect(wrong.firstMatch(of: #/^(now|\d+ (second|minute)s? ago) /#) != nil, "\(wrong)")
            // The sequences have no width.
            let plain = try screen(Products.server, ["audit"] + place, "NO_COLOR=1").split(separator: "\n")
            let column = plain[0].split(separator: "USER")[0].count
            #expect(plain.contains { $0.dropFirst(column).hasPrefix("alice ") }, "\(plain)")

            let users = try screen(Products.server, ["user", "list"] + place)
            #expect(users.contains("\(Self.escape)32mREGISTERED\(Self.escape)0m  alice  1\n"), "\(users)")
            #expect(users.contains("\(Self.escape)33mINVITED\(Self.escape)0m     bob    0\n"), "\(users)")
            let bob = try screen(Products.server, ["user", "show", "bob"] + place)
            #expect(bob.firstMatch(of: #/Z \(in (1 day|23 hours)\)\n/#) != nil, "\(bob)")
            #expect(try machine.administer("user", "revoke", "alice").status == 0)
            let alice = try screen(Products.server, ["user", "show", "alice"] + place)
            #expect(alice.hasPrefix("alice: \(Self.escape)31mREVOKED\(Self.escape)0m\n"), "\(alice)")
        }

        @Test(arguments: ["NO_COLOR=1", "TERM=dumb"])
        func `colors can be turned off, and say nothing alone`(_ variable: String) throws {
            let machine = try machine(), place = ["--dir", machine.directory + "/server"]
            for words in [["audit"], ["user", "list"], ["user", "show", "alice"], ["status"]] {
                let colored = try screen(Products.server, words + place)
                let plain = try screen(Products.server, words + place, variable)
                #expect(colored.contains(Self.escape) && !plain.contains(Self.escape), "\(words): \(plain)")
            }
            let users = try screen(Products.server, ["user", "list"] + place, variable)
            #expect(users.contains("REGISTERED  alice  1\n"), "\(users)")
        }

        @Test func `programs get ISO 8601, tabs and no colors`() throws {
            let machine = try machine()
            for words in [["audit"], ["user", "list"], ["user", "show", "alice"], ["user", "devices"], ["status"]] {
                for more in [[], ["--json"]] {
                    let run = try Run(
                        Products.server, words + more + ["--dir", machine.directory + "/server"],
                        environment: ["TERM": "xterm"])
                    #expect(!run.output.contains(Self.escape) && !run.output.contains(" ago"), "\(run.output)")
                }
            }
            let audit = try machine.administer("audit").output
            #expect(audit.contains("Z\twrong-pin\tuser=alice\t"), "\(audit)")
            let devices = try machine.administer("user", "devices").output
            #expect(
                devices.firstMatch(of: #/^REGISTERED\talice\t1\t[0-9-]+T[0-9:]+Z\tyes\t.*\n$/#) != nil, "\(devices)")
        }

        @Test func `devices are a table, too`() throws {
            let machine = try machine(), pin = try machine.pinFile("4962")
            let words = machine.call("devices") + ["--pin-file", pin]
            let table = try screen(Products.enroll, words)
            #expect(table.contains("DEVICE  NAME"), "\(table)")
            #expect(table.contains("\(Self.escape)32mREGISTERED\(Self.escape)0m  "), "\(table)")
            #expect(table.firstMatch(of: #/(now|seconds? ago) +this device\n/#) != nil, "\(table)")
            let plain = try Run(Products.enroll, words)
            #expect(plain.output.firstMatch(of: #/^1\t.*\tREGISTERED\t[0-9-]+T[0-9:]+Z\tthis device\n$/#) != nil)
        }

        @Test(arguments: [
            (0, "now"), (-1, "1 second ago"), (-59, "59 seconds ago"), (-60, "1 minute ago"),
            (-3_599, "59 minutes ago"),
            (-3_600, "1 hour ago"), (-86_399, "23 hours ago"), (-86_400, "1 day ago"), (-2_591_999, "29 days ago"),
            (-2_592_000, "1 month ago"), (-31_535_999, "12 months ago"), (-63_072_000, "2 years ago"),
            (1, "in 1 second"), (172_800, "in 2 days"), (Int64.min, "292471208677 years ago"),
        ])
        func `relative times`(_ seconds: Int64, _ text: String) {
            #expect(RelativeTime.text(seconds: seconds) == text)
        }

        @Test func `wide characters take two columns`() throws {
            let machine = try machine()
            let names = ["日本語", "e\u{301}té", "한국", "\u{1112}\u{1161}\u{11AB}", "😀-x", "🇩🇪", "ﾊﾝ", "ｆｕｌｌ"]
            for name in names { _ = try machine.invitation(for: name) }
            let words = ["user", "list", "--dir", machine.directory + "/server"]
            let lines = try screen(Products.server, words, "LANG=C").split(separator: "\n").map(String.init)
            // A column for each of these, and two for wide characters.
            let widths = [6, 3, 4, 2, 4, 2, 2, 8]
            for (name, width) in zip(names, widths) {
                let row = "INVITED\(Self.escape)0m     \(name)" + String(repeating: " ", count: 8 - width + 2)
                #expect(lines.contains { $0.contains(row + "0") }, "\(name): \(lines)")
            }
        }

        @Test func `text of others cannot control the terminal or add a column`() {
            let cell = Table.Cell("a\tb\u{1b}[31mc\u{202E}\nd")
            let table = Table(heading: ["A", "B"], rows: [[cell, .time("never")]])
            #expect(table.lines(on: .output) == ["ab[31mcd\tnever"])
        }
    }
}
