import Foundation
import MPinServer

/// `/etc/mpin/server.conf` of a server that is being made: its clients have keys of their devices, all of them, because
/// there are none from before.
struct ServerSettings {
    private static let path = ServerDirectory.installedConfiguration
    private static let line = "legacy = refuse"
    private static let reason =
        "# Registrations have a device key. For clients without one: legacy = allow; see mpin-server.conf(5)."

    /// Writes the line into a new file, or into one that holds no setting. What somebody has set is left as it is.
    static func write(_ steps: inout SetupSteps) throws(ServerFault) {
        let directory = (path as NSString).deletingLastPathComponent
        guard unsafe mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw failed(directory) }
        let text = try read()
        guard let text else { return steps.note("settings", "\(path) is there; nothing was changed in it") }
        let partial = path + ".setup"
        unsafe unlink(partial)
        let file = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw failed(partial) }
        let bytes = Array("\(text)\(reason)\n\(line)\n".utf8)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
        let isWritten = count == bytes.count && fchmod(file, 0o644) == 0 && fsync(file) == 0
        close(file)
        guard isWritten, unsafe rename(partial, path) == 0 else {
            unsafe unlink(partial)
            throw failed(path)
        }
        steps.done("settings", "wrote \(path): \(line)")
    }

    /// The text that the line goes behind; nil where the file is to be left as it is.
    private static func read() throws(ServerFault) -> String? {
        var facts = stat()
        guard unsafe lstat(path, &facts) == 0 else { return "" }
        guard facts.st_mode & S_IFMT == S_IFREG else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw ServerFault(.configuration, "\(path) cannot be read")
        }
        let text = String(decoding: data, as: UTF8.self)
        let isSilent = text.split(separator: "\n").allSatisfy { line in
            let start = line.first { $0 != " " && $0 != "\t" }
            return start == nil || start == "#"
        }
        return isSilent ? text.isEmpty || text.hasSuffix("\n") ? text : text + "\n" : nil
    }

    private static func failed(_ path: String) -> ServerFault {
        ServerFault(.cannotCreate, "cannot write \(path): \(unsafe String(cString: strerror(errno)))")
    }
}
