// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage

/// A setting of `server.conf`: its description, how it is read, and how a reload applies it.
///
/// A new setting is a new row in ``all``. The parser uses the row, and a test compares the table of docs/server.md with
/// it. ``RoleConfiguration`` and ``ServerConfiguration`` describe what a setting means.
package struct ConfigurationKey: Sendable {
    /// The name in the documentation. In the file, upper case, `_` and `-` do not matter.
    package let name: String
    /// The name in the 2016 server, if it is more than another spelling.
    package let formerName: String?
    /// The form of a value: "yes or no".
    package let form: String
    /// The default as it would be written; empty for none.
    package let standard: String
    /// Whether a change takes effect only at the next start, and not at SIGHUP.
    package let needsRestart: Bool
    /// The first version with this setting.
    package let since: String
    /// What it does, in one sentence without a full stop; Markdown.
    package let sentence: String
    /// Sets the value in a configuration, given the name and place in the file.
    let set:
        @Sendable (
            _ written: String, _ value: String, _ place: String, _ configuration: inout ServerConfiguration
        ) throws(ServerError) -> Void
    /// Whether two configurations differ in it.
    let differs: @Sendable (ServerConfiguration, ServerConfiguration) -> Bool
    /// Copies the value from the first configuration to the second.
    let keep: @Sendable (ServerConfiguration, inout ServerConfiguration) -> Void

    /// A setting of the server itself.
    init<Value: Equatable & SendableMetatype>(
        _ name: String, formerly formerName: String? = nil, _ format: SettingFormat<Value>,
        _ path: any (WritableKeyPath<ServerConfiguration, Value> & Sendable), needsRestart: Bool = false,
        since: String, _ sentence: String
    ) {
        self.init(
            name, formerly: formerName, format, needsRestart: needsRestart, since: since, sentence,
            get: { $0[keyPath: path] }, put: { $0[keyPath: path] = $1 })
    }

    /// A setting that the roles use.
    init<Value: Equatable & SendableMetatype>(
        _ name: String, formerly formerName: String? = nil, _ format: SettingFormat<Value>,
        _ path: any (WritableKeyPath<RoleConfiguration, Value> & Sendable), needsRestart: Bool = false,
        since: String, _ sentence: String
    ) {
        self.init(
            name, formerly: formerName, format, needsRestart: needsRestart, since: since, sentence,
            get: { $0.roles[keyPath: path] }, put: { $0.roles[keyPath: path] = $1 })
    }

    private init<Value: Equatable & SendableMetatype>(
        _ name: String, formerly formerName: String?, _ format: SettingFormat<Value>, needsRestart: Bool,
        since: String, _ sentence: String, get: @escaping @Sendable (ServerConfiguration) -> Value,
        put: @escaping @Sendable (inout ServerConfiguration, Value) -> Void
    ) {
        self.name = name
        self.formerName = formerName
        self.form = format.description
        self.needsRestart = needsRestart
        self.since = since
        self.sentence = sentence
        standard = format.text(get(ServerConfiguration()))
        set = { (written, text, place, configuration) throws(ServerError) in
            guard let value = format.value(text) else {
                let correction = format.replacement(text).map { ", not \(text): write \(written) = \($0)" } ?? ""
                throw ServerError(
                    .configuration, "\(place): '\(written)' must be \(format.description)\(correction)",
                    hint: correction.isEmpty ? format.hint : "")
            }
            put(&configuration, value)
        }
        differs = { get($0) != get($1) }
        keep = { put(&$1, get($0)) }
    }

    /// The setting with that key in a file; nil if there is none.
    static func named(_ written: String) -> ConfigurationKey? {
        let wanted = plain(written)
        return all.first { plain($0.name) == wanted || $0.formerName.map(plain) == wanted }
    }

    private static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "_" && $0 != "-" } }
}
