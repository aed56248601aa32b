import Foundation
import MPinServer

/// What a command says: text for people, or exactly one JSON object.
struct Output {
    /// The version of the objects' form.
    static let schema = 1

    let json: Bool

    /// Whether somebody reads the answer.
    static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

    /// Writes the answer.
    func succeed(_ text: String, _ members: [String: Any]) {
        guard json else {
            if !text.isEmpty { print(text) }
            return
        }
        var object = members
        object["schema"] = Self.schema
        object["ok"] = true
        write(object)
    }

    /// Says what went wrong and ends the process.
    func fail(_ fault: ServerFault, exitCode: Int32? = nil) -> Never {
        if json {
            var error: [String: Any] = ["code": fault.code, "message": fault.message]
            if !fault.hint.isEmpty { error["hint"] = fault.hint }
            write(["schema": Self.schema, "ok": false, "error": error])
        } else {
            let hint = fault.hint.isEmpty ? "" : "\n\(fault.hint)"
            FileHandle.standardError.write(Data("mpin-server: \(fault.message)\(hint)\n".utf8))
        }
        exit(exitCode ?? fault.exitCode)
    }

    private func write(_ object: [String: Any]) {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else {
            FileHandle.standardError.write(Data("mpin-server: no answer could be written\n".utf8))
            exit(70)
        }
        print(String(decoding: data, as: UTF8.self))
    }
}
