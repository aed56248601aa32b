import ArgumentParser
import Glibc

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
        guard let answer = terminal.ask("Code of an invitation (empty for none): ") else {
            throw CommandFailure(.cancelled, "CANCELED", "Cancelled.")
        }
        return answer.isEmpty ? nil : answer
    }

    private static func read(_ path: String) throws(CommandFailure) -> String {
        let descriptor = path == "-" ? dup(STDIN_FILENO) : unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw CommandFailure(.badInput, "BAD_INPUT", "The code file cannot be opened.") }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 256)
        while bytes.count < 1024 {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe Glibc.read(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        let line = String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first ?? ""
        let code = line.filter { !$0.isWhitespace }
        guard !code.isEmpty else { throw CommandFailure(.badInput, "BAD_INPUT", "The code file holds no code.") }
        return code
    }
}
