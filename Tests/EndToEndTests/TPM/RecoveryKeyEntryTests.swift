// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Recovery keys as users type them, and the answers.
    @Suite(.enabled(if: EmulatedTPM.program != nil)) struct RecoveryKeyEntryTests {
        @Test func `input at a terminal is not shown, and the terminal is restored`() throws {
            let server = try SealedServer()
            let command = "\(Products.server) reseal --recovery-key-file - --dir \(server.directory)"
            let script = "\(command); echo ended $?; stty -a | grep -o -E '[ -]echo '; echo over"
            let terminal = try Terminal("/bin/bash", ["-c", script])
            terminal.answer("Recovery key", server.recoveryKey)
            #expect(terminal.shows("ended 0") && terminal.shows(" echo \nover"), "\(terminal.screen)")
            #expect(!terminal.screen.contains(server.recoveryKey.prefix(9)), "\(terminal.screen)")
        }

        /// The number of groups on a line: as a narrow terminal shows them, and as a user may type them.
        @Test(arguments: [7, 3]) func `a key is typed or pasted in the lines that it was shown in`(width: Int) throws {
            let server = try SealedServer()
            let command = "\(Products.server) reseal --recovery-key-file - --dir \(server.directory)"
            let groups = server.recoveryKey.split(separator: "-")
            let lines = stride(from: 0, to: groups.count, by: width).map {
                "    " + groups[$0..<min($0 + width, groups.count)].joined(separator: "-")
            }
            let pasted = try Terminal("/bin/bash", ["-c", "\(command); echo ended $?"])
            pasted.answer("Recovery key", lines.joined(separator: "\n"))
            #expect(pasted.shows("The rest of the key") && pasted.shows("ended 0"), "\(pasted.screen)")
            let typed = try Terminal("/bin/bash", ["-c", "\(command); echo ended $?"])
            #expect(typed.shows("Recovery key"))
            for line in lines.dropLast() {
                typed.type(line)
                #expect(typed.shows("The rest of the key"), "\(typed.screen)")
            }
            typed.type(lines.last ?? "")
            #expect(typed.shows("ended 0"), "\(typed.screen)")
            #expect(!(typed.screen + pasted.screen).contains(groups[0] + "-" + groups[1]))
        }

        @Test func `an empty line ends a key that is too short`() throws {
            let server = try SealedServer()
            let command = "\(Products.server) reseal --recovery-key-file - --dir \(server.directory)"
            let terminal = try Terminal("/bin/bash", ["-c", "\(command); echo ended $?"])
            terminal.answer("Recovery key", String(server.recoveryKey.prefix(9)))
            terminal.answer("The rest of the key", "")
            #expect(terminal.shows("has 56 symbols, not 8"), "\(terminal.screen)")
            #expect(terminal.shows("ended 65"), "\(terminal.screen)")
        }

        @Test(arguments: ["INT", "TERM", "HUP"])
        func `a signal gives the terminal back`(signal: String) throws {
            let server = try SealedServer()
            let command = "\(Products.server) reseal --recovery-key-file - --dir \(server.directory)"
            let script = """
                trap : INT HUP; (echo $BASHPID >\(server.directory)/pid; exec \(command)); \
                echo ended $?; stty -a | grep -o -E '[ -]echo '; echo over
                """
            let terminal = try Terminal("/bin/bash", ["-c", script])
            #expect(terminal.shows("Recovery key"))
            let process = try String(contentsOfFile: server.directory + "/pid", encoding: .utf8)
            #expect(try Run("/bin/kill", ["-" + signal, process.trimmingCharacters(in: .newlines)]).status == 0)
            #expect(terminal.shows("ended 1") && terminal.shows(" echo \nover"), "\(terminal.screen)")
        }

        @Test func `a backup says whether it was verified that the recovery key opens it`() throws {
            let server = try SealedServer(), other = try SealedServer(server.tpm)
            let own = try Data(contentsOf: URL(fileURLWithPath: server.sealedKey))
            let tried = try server.run("backup", server.directory + "/1", "--json").json()
            #expect(tried["authenticated"] as? Bool == true)
            server.tpm.stop()
            let silent = try server.run("backup", server.directory + "/2")
            #expect(silent.status == 0 && silent.output.contains(server.recoveryName), "\(silent.all)")
            #expect(silent.errors.contains("Reason: there is no TPM"), "\(silent.all)")
            #expect(
                silent.errors.contains("has no MAC") && silent.errors.contains("--unauthenticated"), "\(silent.all)")
            try server.tpm.start()
            try SealedServer.write(
                try String(contentsOfFile: other.sealedKey, encoding: .utf8), to: server.sealedKey)
            let foreign = try server.run("backup", server.directory + "/3")
            #expect(foreign.status == 0 && foreign.errors.contains("Reason: the key does not open"), "\(foreign.all)")
            let object = try server.run("backup", server.directory + "/4", "--json").json()
            #expect(object["authenticated"] as? Bool == false)
            try own.write(to: URL(fileURLWithPath: server.sealedKey))
        }

        @Test func `keys in the clear that stay behind are named`() throws {
            let server = try SealedServer()
            #expect(try server.run("reseal").output.contains("in the clear") == false)
            #expect(try server.run("reseal", "--seal", "file").status == 0)
            #expect(try server.run("backup", server.directory + "/copy", "--with-key").status == 0)
            let former = try #require(try server.run("rotate", "--json").json()["formerKey"] as? String)
            let resealed = try server.run("reseal")
            #expect(resealed.output.contains("rm \(server.directory)/copy.key \(former)"), "\(resealed.all)")
            let names = try server.run("reseal", "--json").json()["otherKeys"] as? [String]
            #expect(names == [server.directory + "/copy.key", former])
        }

        @Test func `the advice for a TPM that is gone works`() throws {
            let server = try SealedServer()
            server.tpm.stop()
            let gone = try server.run("invite", "alice")
            let line = try #require(gone.errors.split(separator: "\n").last { $0.hasPrefix("Run: ") }).dropFirst(5)
            let words = line.split(separator: " ").map(String.init)
            try #require(words.first == "mpin-server", "\(gone.all)")
            let run = try Run(Products.server, Array(words.dropFirst()), input: server.recoveryKey)
            #expect(run.status == 0, "\(line): \(run.all)")
            #expect(try server.run("invite", "alice").status == 0)
        }
    }
}
