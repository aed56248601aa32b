// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The client that was written from docs/device-login.md alone, as a process for each call; see client.py.
final class DocumentClient: Sendable {
    struct Broken: Error { let errors: String }

    private let socket: String
    private let record = NSTemporaryDirectory() + "mpin-document-" + UUID().uuidString.prefix(8)

    init(socket: String) { self.socket = socket }

    deinit { try? FileManager.default.removeItem(atPath: record) }

    /// Makes one call.
    func callAsFunction(_ words: String...) throws -> Answer {
        let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("client.py")
        let result = try Program.run(at: "/usr/bin/python3", ["-I", script.path, socket, record] + words)
        let output = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
        guard result.code == 0, let status = output?["status"] as? Int, let body = output?["body"] else {
            throw Broken(errors: result.errors)
        }
        // The document says which answers have a proof: all but those to malformed requests.
        if words.first != "try", status != 400, output?["proven"] as? Bool != true {
            throw Broken(errors: "the answer \(status) to \(words) has no proof")
        }
        return Answer(status: status, body: Array(try JSONSerialization.data(withJSONObject: body)))
    }

    /// Sets its clock wrong by so many milliseconds.
    func shiftClock(by milliseconds: Int) throws {
        let file = URL(fileURLWithPath: record)
        var kept = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any] ?? [:]
        kept["clockOffset"] = milliseconds
        try JSONSerialization.data(withJSONObject: kept).write(to: file)
    }
}
