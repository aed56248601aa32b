// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Whole logins through pamtester and the module, beside other modules.
enum LoginRows {
    /// A module in C that only opens libcurl and libcrypto, signs once and makes one request.
    private static let floor = "bare C module"

    static func measure(_ site: Site, _ report: inout Report) throws {
        var entrants = try Others.entrants(site, left: &report.left)

        // The account whose server is trusted exists on a machine that is set up; without one, names are looked up far.
        let owner = "server_user=\(site.account)"
        try site.startServer()
        try site.enroll()
        try site.service("mpin", site.module(options: owner))
        try site.service("stranger", site.module(store: "empty"))
        let typing = Site.pin + "\n"
        entrants.append(.init(name: "pam_mpin, not enrolled", service: "stranger"))
        entrants.append(.init(name: "pam_mpin, unix socket", service: "mpin", typing: typing))
        try site.service("floor", "\(site.places.floor) \(site.socket)")
        entrants.append(.init(name: floor, service: "floor", typing: typing))
        var hasTunnel = false
        do {
            let tunnel = try site.startTunnel()
            try site.enroll(server: tunnel.address, store: "tls", authority: tunnel.certificate)
            try site.service(
                "mpin-tls", site.module(server: tunnel.address, store: "tls", options: "ca_file=\(tunnel.certificate)"))
            entrants.append(.init(name: "pam_mpin, TLS", service: "mpin-tls", typing: typing))
            hasTunnel = true
        } catch {
            report.left.append("the login over TLS: \(error)")
        }

        let results = try Contest(site: site, entrants: entrants).run(rounds: 40, countsInstructions: true)
        report.processes = results
        let beside = results.filter { !$0.name.hasPrefix("pam_mpin") && $0.name != floor }
        let times = beside.map { "\($0.name.dropFirst(4)) \(Text.number($0.processorMilliseconds))" }
        let memory = beside.map { "\($0.name.dropFirst(4)) \(Text.number(Double($0.peakKilobytes) / 1_000))" }
        for (name, limit) in [("unix socket", 10.0)] + (hasTunnel ? [("TLS", 15.0)] : []) {
            guard let result = results.first(where: { $0.name == "pam_mpin, \(name)" }), result.outcome == "success"
            else { throw Failure("the login over \(name) failed") }
            report.rows.append(
                Row(
                    "login", "full login, \(name): CPU min", result.processorMilliseconds, "ms", .atMost(limit),
                    beside: times.joined(separator: ", ")))
            report.rows.append(
                Row(
                    "login", "full login, \(name): peak RSS", Double(result.peakKilobytes) / 1_000, "MB", .atMost(15),
                    beside: memory.joined(separator: ", ")))
            if name != "TLS", let bare = results.first(where: { $0.name == floor }), bare.outcome == "success" {
                report.rows.append(
                    Row(
                        "login", "full login, \(name): CPU min over a bare C module",
                        result.processorMilliseconds / bare.processorMilliseconds, "x", .atMost(1.3),
                        beside: "which takes \(Text.number(bare.processorMilliseconds)) ms"))
                report.rows.append(
                    Row(
                        "login", "full login, \(name): peak RSS over a bare C module",
                        Double(result.peakKilobytes) / Double(bare.peakKilobytes), "x", nil,
                        beside: "which takes \(Text.number(Double(bare.peakKilobytes) / 1_000)) MB"))
            }
            let trace = try Trace(site, name == "TLS" ? "mpin-tls" : "mpin", typing: typing)
            report.rows.append(
                Row(
                    "login", "full login, \(name): system calls", Double(trace.calls), "",
                    name == "TLS" ? nil : .atMost(650)))
            if name != "TLS" {
                report.rows.append(
                    Row(
                        "login", "requests after Enter", Double(trace.requests), "", .atMost(1),
                        beside: "on \(trace.connections) connection\(trace.connections == 1 ? "" : "s")"))
            }
        }
        try silence(site, &report)
        try needless(site, &report)
    }

    /// What ssh runs before each connection, while a certificate is valid.
    private static func needless(_ site: Site, _ report: inout Report) throws {
        let name = "mpin-enroll ssh --if-needed, valid certificate: CPU min"
        guard getuid() == 0 else { return report.left.append("\(name): root is required") }
        let files = site.path("run/0/mpin"), key = files + "/id_mpin"
        try FileManager.default.createDirectory(
            atPath: files, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        for words in [
            ["-t", "ed25519", "-N", "", "-f", key], ["-t", "ecdsa", "-N", "", "-f", site.path("ca")],
            ["-s", site.path("ca"), "-I", "bench", "-n", "alice", "-V", "-5m:+8h", key + ".pub"],
        ] {
            let made = try site.places.run("/usr/bin/ssh-keygen", ["-q"] + words)
            guard made.status == 0 else { throw Failure("ssh-keygen: \(made.errors)") }
        }
        // The directory of the login session exists only in a mount namespace, and its making is not measured.
        let namespace = "mount -t tmpfs none /run && mkdir /run/user && mount --bind \(site.path("run")) /run/user"
        let cost = site.path("cost")
        func measure(_ words: [String]) throws -> Double {
            let run = try site.places.run(
                "/usr/bin/unshare",
                ["-m", "--propagation", "private", "/bin/sh", "-c", namespace + " && exec \"$@\"", "sh"]
                    + [site.places.runner, cost, site.places.enroll] + words)
            let fields = try String(contentsOfFile: cost, encoding: .utf8).split(separator: " ")
            guard run.status == 0, fields.first == "0", let time = Double(fields[2]) else {
                throw Failure("mpin-enroll \(words.joined(separator: " ")): \(run.errors)")
            }
            return time
        }
        var (needless, version) = (Double.infinity, Double.infinity)
        for _ in 0..<40 {
            needless = min(needless, try measure(["ssh", "--if-needed"]))
            version = min(version, try measure(["--version"]))
        }
        report.rows.append(
            Row(
                "login", name, needless / version, "x --version", .atMost(1.5),
                beside: "\(Text.number(needless)) ms"))
    }

    /// A server that accepts the connection and never answers.
    private static func silence(_ site: Site, _ report: inout Report) throws {
        site.stopServer()
        let listener = try Listener(path: site.socket)
        defer { listener.stop() }
        let run = try site.logIn("mpin", typing: Site.pin + "\n")
        guard run.status != 0 else { throw Failure("a silent server let a user in") }
        report.rows.append(
            Row(
                "login", "silent server: answer after", run.wall / 1_000, "s", .atMost(5.1),
                beside: "the default timeout of 5 s after Enter, and the program around it"))
    }
}
