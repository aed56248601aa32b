// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPin
import MPinConfiguration
import SystemFiles

/// The line of the configuration's file that names the server. Everything else in the file stays as it is.
struct ServerLine {
    private let path: String
    private let content: [UInt8]
    private let line: Int
    /// The address that the line names, in the form in which it is stored.
    let address: String

    /// - Returns: `nil` if the file does not name one of these addresses.
    init?(_ configuration: Configuration, naming addresses: Set<String>) {
        guard case .file(let line) = configuration.origin(of: .server),
            let named = configuration.server.flatMap({ Backend($0)?.text }), addresses.contains(named),
            let content = SystemFile.load(configuration.file)
        else { return nil }
        (path, self.content, self.line, address) = (configuration.file, content, line, named)
    }

    func write(_ address: String) throws(CommandFailure) {
        guard let changed = naming(address) else {
            throw CommandFailure(
                .configuration, "CONFIGURATION", "\(path) cannot be changed by this program. Nothing was changed.",
                advice: Advice("Set in line \(line): server = \(address). Then run this command again."))
        }
        try MachineFile.replace(path, with: changed, like: path)
    }

    /// The content with another address; `nil` if it would not be read as that address.
    private func naming(_ address: String) -> [UInt8]? {
        var lines = content.split(separator: 0x0A, omittingEmptySubsequences: false).map(Array.init)
        guard lines.indices.contains(line - 1), let changed = ServerLine.changed(lines[line - 1], address) else {
            return nil
        }
        lines[line - 1] = changed
        let text = Array(lines.joined(separator: [0x0A]))
        do throws(ConfigurationError) {
            let read = try Configuration.parse(text.span, path: path, arguments: [])
            guard read.server == address, case .file(line) = read.origin(of: .server) else { return nil }
        } catch { return nil }
        return text
    }

    /// A line `key = value` with another value. Its comment stays.
    private static func changed(_ line: [UInt8], _ value: String) -> [UInt8]? {
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else { return nil }
        let isBlank = { (byte: UInt8) in [0x20, 0x09, 0x0D].contains(byte) }
        guard let start = line[(equals + 1)...].firstIndex(where: { !isBlank($0) }) else { return nil }
        let end: Int
        if line[start] == UInt8(ascii: "\"") {
            guard let quote = line[(start + 1)...].firstIndex(of: UInt8(ascii: "\"")) else { return nil }
            end = quote + 1
        } else {
            // An address has no white space.
            end = line[start...].firstIndex(where: isBlank) ?? line.endIndex
        }
        let written = value.contains("#") ? "\"\(value)\"" : value
        return line[..<start] + Array(written.utf8) + line[end...]
    }
}
