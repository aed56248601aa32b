// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A man in the middle between a machine and its server, with a certificate of an authority that the machine trusts;
/// see middle.py.
final class ManInTheMiddle: ServerAddress {
    /// A request as it passed by, with its answer.
    struct Exchange {
        let target: String
        let request: String
        let status: Int
        let answer: String
    }

    private let process: Background
    private let directory: String
    private let port: String
    private let isTrusted: Bool

    static func withMachine() throws -> (Machine, ManInTheMiddle) {
        let machine = try Machine()
        return (machine, try ManInTheMiddle(machine))
    }

    /// - Parameter isTrusted: whether the machine trusts its certificate.
    init(_ machine: Machine, isTrusted: Bool = true) throws {
        self.isTrusted = isTrusted
        directory = machine.directory + "/middle-\(UUID().uuidString.prefix(4))"
        try #require(mkdir(directory, 0o755) == 0)
        let key = directory + "/key.pem"
        try Certificate.make(directory + "/certificate.pem", key: key)
        try Data(#"{"rule":"pass"}"#.utf8).write(to: URL(fileURLWithPath: directory + "/plan"))
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("middle.py")
        process = try Background([
            "/usr/bin/python3", "-I", script.path, directory + "/certificate.pem", key, machine.socket,
            directory + "/plan", directory + "/log",
        ])
        port = process.line()
        try #require(Int(port) != nil, "the man in the middle did not start")
    }

    var url: String { "https://localhost:\(port)" }
    var certificate: String { directory + "/certificate.pem" }
    var authority: String? { isTrusted ? certificate : nil }

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
    /// Logs in with the module at another address of the server.
    func pam(_ pins: String..., at server: any ServerAddress, options: String = "") throws -> Run {
        try service("elsewhere", module(options, at: server))
        return try pam("authenticate", service: "elsewhere", typing: pins)
    }
}
