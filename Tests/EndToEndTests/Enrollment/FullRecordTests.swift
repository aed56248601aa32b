// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// An account with as many registrations as its file holds.
    @Suite struct FullRecordTests {
        @Test func `a full record is reported before a code is used, and its registrations can be recovered`() throws {
            let machine = try Machine()
            var names: [String] = []
            var refused: (name: String, code: String, run: Run)?
            while refused == nil, names.count < 40 {
                let name = "user\(names.count)"
                let code = try machine.invitation(for: name)
                let run = try machine.enroll("register", "--code", code, pin: "4962", identity: name)
                if run.status == 0 { names.append(name) } else { refused = (name, code, run) }
            }
            let (late, code, run) = try #require(refused)
            #expect(names.count == 8)
            #expect(run.status == 74, "\(run.all)")
            #expect(
                run.errors.contains("There is no room for another enrollment in \(machine.record)."), "\(run.all)")
            #expect(run.errors.contains("mpin-enroll remove --identity"), "\(run.all)")
            #expect(!run.errors.contains("damaged"), "\(run.all)")
            for name in names {
                let recovered = try machine.enroll(
                    "recover", "--code", machine.invitation(for: name), pin: "7385", identity: name)
                #expect(recovered.status == 0, "\(name): \(recovered.all)")
            }
            for name in names { #expect(try machine.enroll("test", pin: "7385", identity: name).status == 0) }
            // A file that a server has filled with long values, here with blanks, has no room for a recovery.
            let file = URL(fileURLWithPath: machine.record), content = try Data(contentsOf: file)
            let unused = try machine.invitation(for: names[1])
            try (content + Data(repeating: 0x20, count: 50_000 - content.count)).write(to: file)
            let full = try machine.enroll("recover", "--code", unused, pin: "4962", identity: names[1])
            #expect(full.status == 74 && full.errors.contains("no code was used"), "\(full.all)")
            try content.write(to: file)
            #expect(try machine.enroll("recover", "--code", unused, pin: "4962", identity: names[1]).status == 0)
            try #require(machine.enroll("remove", "--yes", pin: "7385", identity: names[0]).status == 0)
            let again = try machine.enroll("register", "--code", code, pin: "4962", identity: late)
            #expect(again.status == 0, "\(again.all)")
        }
    }
}
