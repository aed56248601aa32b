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

    static func withMachine() throws -> (Machine, ManInTheMiddle) {
        let machine = try Machine()
        return (machine, try ManInTheMiddle(machine))
    }

    init(_ machine: Machine) throws {
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
    var authority: String? { certificate }

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
    /// Logs in with the module through the man in the middle.
    func pam(_ pins: String..., at middle: ManInTheMiddle, options: String = "") throws -> Run {
        try service("middle", module(options, at: middle))
        return try pam("authenticate", service: "middle", typing: pins)
    }
}
