import Glibc

/// Standard output, with write errors reported.
enum StandardOutput {
    static func write(_ lines: [String]) throws(CommandFailure) {
        let text = lines.map { $0 + "\n" }.joined()
        guard let person = ServedPerson.current else { return try write(Array(text.utf8)[...]) }
        guard person.print(text) else { throw failure("the person is gone") }
    }

    static func write(_ bytes: ArraySlice<UInt8>) throws(CommandFailure) {
        var rest = bytes
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                throw failure(unsafe String(cString: strerror(errno)))
            }
            rest = rest.dropFirst(count)
        }
    }

    private static func failure(_ reason: String) -> CommandFailure {
        CommandFailure(
            .storage, "OUTPUT_ERROR",
            "The report could not be written to standard output: \(reason). What was asked for has been done.")
    }
}
