import Glibc

/// Standard output, with write errors reported.
enum StandardOutput {
    static func write(_ lines: [String]) throws(CommandFailure) {
        var rest = Array(lines.map { $0 + "\n" }.joined().utf8)[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let reason = unsafe String(cString: strerror(errno))
                throw CommandFailure(
                    .storage, "OUTPUT_ERROR",
                    "The report could not be written to standard output: \(reason). What was asked for has been done.")
            }
            rest = rest.dropFirst(count)
        }
    }
}
