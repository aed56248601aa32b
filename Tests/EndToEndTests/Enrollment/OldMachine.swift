// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

/// A machine whose server behaves like that of 2016: no codes, verification by mail, no counts of wrong PINs.
final class OldMachine {
    let server: ReferenceServer
    let peer: LoopbackServer
    let directory: String
    let account: String

    init() throws {
        account = String(cString: getpwuid(getuid()).pointee.pw_name)
        directory = "/tmp/mpin-\(UUID().uuidString.prefix(8))"
        try #require(mkdir(directory, 0o755) == 0)
        try Data("old_server = yes\ntimeout = 60\n".utf8).write(to: URL(fileURLWithPath: directory + "/mpin.conf"))
        chmod(directory + "/mpin.conf", 0o600)
        let server = try ReferenceServer()
        server.staysBlocked = true
        self.server = server
        peer = try LoopbackServer(directory: directory) { server.answer($0) }
    }

    /// A machine with an enrollment.
    static func enrolled() throws -> OldMachine {
        let machine = try OldMachine()
        try machine.register()
        return machine
    }

    deinit {
        peer.stop()
        try? FileManager.default.removeItem(atPath: directory)
    }

    var options: [String] {
        [
            "--user", account, "--identity", "alice", "--server", peer.url, "--store", directory + "/store", "--config",
            directory + "/mpin.conf",
        ]
    }

    /// A call by a script.
    func enroll(_ command: String, _ more: String...) throws -> Run {
        try Run(
            "/usr/bin/setsid", ["--wait", Products.enroll, command] + more + options + ["--no-input"])
    }

    /// A call by a user at a terminal.
    func terminal(_ command: String, _ more: String...) throws -> Terminal {
        try Terminal(Products.enroll, [command] + more + options)
    }

    /// The command in the last line, run at a terminal as printed.
    func follow(_ text: String) throws -> Terminal {
        let line = try #require(text.split(separator: "\n").last { $0.contains("mpin-enroll ") }, "\(text)")
        let start = try #require(line.range(of: "mpin-enroll "))
        return try Terminal("/bin/sh", ["-c", "exec " + Products.directory + "/" + line[start.lowerBound...]])
    }

    func pinFile(_ pin: String) throws -> String {
        let path = directory + "/pin-" + pin
        try Data(pin.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    /// Makes the service `mpin` with the module.
    func makeServices() throws {
        try FileManager.default.createDirectory(atPath: directory + "/pam.d", withIntermediateDirectories: false)
        let module =
            "\(Products.module) method=pin conf=\(directory)/mpin.conf store=\(directory)/store server=\(peer.url)"
        for (name, module) in [("mpin", module), ("other", "pam_deny.so")] {
            let stack = "auth required \(module)\naccount required pam_permit.so\n"
            try Data(stack.utf8).write(to: URL(fileURLWithPath: directory + "/pam.d/" + name))
        }
    }

    func register(pin: String = "4962") throws {
        let run = try enroll("register", "--pin-file", pinFile(pin))
        try #require(run.status == 0, "\(run.all)")
    }
}

extension Machine {
    /// Blocks the enrollment with wrong PINs.
    func block() throws { for _ in 1...3 { _ = try enroll("test", pin: "4963") } }

    /// Begins an enrollment, and quits at the prompt for the new PIN, after the server has verified the identity.
    func quitAtPIN(
        _ command: String, _ options: String..., sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let begun = try Terminal(Products.enroll, call(command, options: options))
        begun.interrupt(at: "4 to 6 digits: ", sourceLocation: sourceLocation)
    }
}

extension Terminal {
    /// Ends the program at a prompt.
    func interrupt(at prompt: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(shows(prompt), "\(screen)", sourceLocation: sourceLocation)
        control("c")
        #expect(end() == 130, "\(screen)", sourceLocation: sourceLocation)
    }

    func choose(_ pin: String, sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(shows("4 to 6 digits: "), "\(screen)", sourceLocation: sourceLocation)
        type(pin)
        #expect(shows("Retype the new PIN: "), "\(screen)", sourceLocation: sourceLocation)
        type(pin)
    }
}
