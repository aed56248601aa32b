import ArgumentParser
import Foundation

/// Where an invitation code comes from.
struct CodeOptions: ParsableArguments {
    @Option(name: .long, help: "The invitation code; --code-file keeps it out of the process list.")
    var code: String?

    @Option(name: .long, help: "A file with the invitation code, or - for standard input.")
    var codeFile: String?

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    /// The code, asked for on a terminal when it is nowhere else.
    func value(_ common: CommonOptions) throws(CommandFailure) -> String? {
        if let code { return code }
        if let codeFile { return try CodeOptions.read(codeFile) }
        guard !common.noInput, !common.json, let terminal = Terminal() else { return nil }
        guard let answer = terminal.ask("Invitation code (empty for none): ") else {
            throw CommandFailure(.cancelled, "CANCELED", "Cancelled.")
        }
        return answer.isEmpty ? nil : answer
    }

    private static func read(_ path: String) throws(CommandFailure) -> String {
        let handle = path == "-" ? FileHandle.standardInput : FileHandle(forReadingAtPath: path)
        let limit = 1024
        // An unreadable file and an empty one are the same to the person: there is no code in it.
        guard let data = try? handle?.read(upToCount: limit), data.count < limit,
            let line = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline).first
        else { throw CommandFailure(.badInput, "BAD_INPUT", "The code file holds no code.") }
        return line.trimmingCharacters(in: .whitespaces)
    }
}
