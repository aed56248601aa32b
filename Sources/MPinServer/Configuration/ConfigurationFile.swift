// SPDX-License-Identifier: Apache-2.0
internal import ConfigurationSyntax
internal import Foundation
internal import Glibc
package import MPinServerStorage
internal import SystemFiles

/// Reads `server.conf`, in the syntax of ``ConfigurationReader``, without sections and with each key at most once.
///
/// ``ConfigurationKey/all`` lists the keys and their values.
package enum ConfigurationFile {
    /// Reads a whole text.
    ///
    /// - Parameters:
    ///   - name: the file's name, for messages.
    ///   - base: the settings that the file overrides.
    /// - Returns: the settings, and all errors, each with file and line.
    package static func read(_ text: String, name: String, over base: ServerConfiguration = ServerConfiguration()) -> (
        configuration: ServerConfiguration, faults: [ServerError]
    ) {
        var configuration = base
        var faults: [ServerError] = []
        var seen: Set<String> = []
        let bytes = Array(text.utf8)
        var reader = ConfigurationReader()
        while let line = reader.next(in: bytes.span) {
            let place = "\(name):\(reader.number)"
            do throws(ServerError) {
                guard let (name, value) = try setting(line, in: bytes, at: place) else { continue }
                guard let key = ConfigurationKey.all.first(where: { $0.name == name }) else {
                    throw ServerError(
                        .configuration, "\(place): unknown key '\(name)'", hint: "See: man mpin-server.conf")
                }
                guard seen.insert(name).inserted else {
                    throw ServerError(.configuration, "\(place): '\(name)' is set twice")
                }
                try key.set(value, place, &configuration)
            } catch { faults.append(error) }
        }
        return (configuration, faults)
    }

    /// The key and the value of a line; nil for an empty line or a comment.
    private static func setting(
        _ line: ConfigurationLine, in bytes: [UInt8], at place: String
    ) throws(ServerError) -> (key: String, value: String)? {
        switch line {
        case .empty: return nil
        case .setting(let key, let value):
            return (String(decoding: bytes[key], as: UTF8.self), String(decoding: bytes[value], as: UTF8.self))
        case .section:
            throw ServerError(
                .configuration, "\(place): this file has no sections",
                hint: "Delete the line. Only mpin.conf has sections.")
        case .unreadable: throw ServerError(.configuration, "\(place): expected 'key = value'")
        case .unquotedHash:
            throw ServerError(
                .configuration,
                "\(place): a value with '#' needs double quotes, and a comment needs a space before '#'",
                hint: "Write key = \"value\" or key = value # comment.")
        case .misquoted:
            throw ServerError(
                .configuration,
                "\(place): a quoted value must end with a double quote, and only a comment may follow it",
                hint: "Write key = \"value\" or key = \"value\" # comment. A value cannot contain a double quote.")
        }
    }
}

/// `/etc/mpin/server.conf.d`: files of settings that programs write, so that only the administrator edits
/// `server.conf`.
package enum SettingsDirectory {
    /// No other file of settings has such a directory.
    package static let path = ServerDirectory.installedConfiguration + ".d"

    /// The files to read, in the byte order of their names. A later file overrides those before it.
    static func files() throws(ServerError) -> [String] {
        let facts: FileFacts
        let names: [String]
        do throws(SystemError) {
            facts = try FileFacts.of(target: path).get()
            names = try Directory.names(in: path)
        } catch {
            if error.number == ENOENT { return [] }
            throw error.fault(path, hint: "Check its mode: ls -ld \(path)")
        }
        guard !facts.isWritableByOthers else {
            throw ServerError(
                .configuration, "\(path) is writable by users other than its owner",
                hint: "Check its content.\nThen run: chmod go-w \(path)")
        }
        return names.filter { $0.hasSuffix(".conf") && !$0.hasPrefix(".") }
            .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { "\(path)/\($0)" }
    }
}
