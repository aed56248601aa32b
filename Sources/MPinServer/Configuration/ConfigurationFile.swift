// SPDX-License-Identifier: Apache-2.0
internal import ConfigurationSyntax
package import MPinServerStorage

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
        var seen: [String: String] = [:]
        let bytes = Array(text.utf8)
        var reader = ConfigurationReader()
        while let line = reader.next(in: bytes.span) {
            let place = "\(name):\(reader.number)"
            do throws(ServerError) {
                guard let (written, value) = try setting(line, in: bytes, at: place) else { continue }
                guard let key = ConfigurationKey.named(written) else {
                    throw ServerError(
                        .configuration, "\(place): unknown key '\(written)'", hint: "See: man mpin-server.conf")
                }
                if let first = seen.updateValue(written, forKey: key.name) {
                    let reason = first == written ? "is set twice" : "means '\(first)', which is already set"
                    throw ServerError(.configuration, "\(place): '\(written)' \(reason)")
                }
                try key.set(written, value, place, &configuration)
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
