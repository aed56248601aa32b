// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

/// A man in the middle between a machine and its server, with a certificate of an authority that the machine trusts;
/// see middle.py.
final class ManInTheMiddle {
    /// A request as it passed by, with its answer.
    struct Exchange {
        let target: String
        let request: String
        let status: Int
        let answer: String
    }

    private let process = Process()
    private let directory: String
    private let port: String

    init(_ machine: Machine) throws {
        directory = machine.directory + "/middle-\(UUID().uuidString.prefix(4))"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
        let key = directory + "/key.pem"
        let made = try Run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-days", "2", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out",
                directory + "/certificate.pem",
            ])
        try #require(made.status == 0, "\(made.errors)")
        try Data(#"{"rule":"pass"}"#.utf8).write(to: URL(fileURLWithPath: directory + "/plan"))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("middle.py")
        process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
        process.arguments = [
            "-I", script.path, directory + "/certificate.pem", key, machine.socket, directory + "/plan",
            directory + "/log",
        ]
        let ready = Run.pipe()
        process.standardOutput = ready
        try process.run()
        port = String(decoding: ready.fileHandleForReading.availableData, as: UTF8.self)
            .trimmingCharacters(in: .whitespacesAndNewlines)
        try #require(Int(port) != nil, "the man in the middle did not start")
    }

    deinit {
        guard process.isRunning else { return }
        Glibc.kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    var url: String { "https://localhost:\(port)" }
    var certificate: String { directory + "/certificate.pem" }

    /// Attacks from now on.
    func plan(_ rule: String, _ plan: [String: Any] = [:]) throws {
        let plan = plan.merging(["rule": rule]) { old, _ in old }
        try JSONSerialization.data(withJSONObject: plan).write(
            to: URL(fileURLWithPath: directory + "/plan"), options: .atomic)
    }

    /// What has passed by.
    func exchanges() throws -> [Exchange] {
        guard let log = try? String(contentsOfFile: directory + "/log", encoding: .utf8) else { return [] }
        return try log.split(separator: "\n").map { line in
            let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any] ?? [:]
            return Exchange(
                target: object["target"] as? String ?? "", request: object["request"] as? String ?? "",
                status: object["status"] as? Int ?? 0, answer: object["answer"] as? String ?? "")
        }
    }

    func forget() { try? FileManager.default.removeItem(atPath: directory + "/log") }
}

extension Machine {
    /// Runs `mpin-enroll` with the server behind the man in the middle.
    func enroll(
        _ command: String, _ arguments: String..., through middle: ManInTheMiddle, pin: String? = nil
    ) throws -> Run {
        try Run(
            Products.enroll,
            call(command, through: middle) + arguments + ["--no-input"] + (pin == nil ? [] : ["--pin-file", "-"]),
            input: pin)
    }

    /// The arguments of such a call that may ask the person at the terminal.
    func call(_ command: String, through middle: ManInTheMiddle) -> [String] {
        [
            command, "--store", store, "--server", middle.url, "--ca-file", middle.certificate, "--user", account,
            "--identity", "alice", "--config", directory + "/mpin.conf", "--timeout", "20",
        ]
    }

    /// Logs in with the module through the man in the middle.
    func pam(_ pins: String..., through middle: ManInTheMiddle, options: String = "") throws -> Run {
        try service(
            "middle",
            "\(Products.module) method=pin conf=\(directory)/mpin.conf store=\(store) server=\(middle.url) "
                + "ca_file=\(middle.certificate) timeout=20 \(options)")
        return try pam("authenticate", service: "middle", typing: pins)
    }
}
