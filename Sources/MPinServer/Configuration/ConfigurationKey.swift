// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles
internal import MPinServerStorage

/// A setting of `server.conf`: its description, how it is read, and how a reload applies it.
///
/// A new setting is a new row in ``all``. The parser uses the row, and a test compares the manual with it.
/// ``RoleConfiguration`` and ``ServerConfiguration`` describe what a setting means.
package struct ConfigurationKey: Sendable {
    package let name: String
    /// The form of a value: "yes or no".
    package let form: String
    /// The default as it would be written; empty for none.
    package let standard: String
    /// Whether a change takes effect only at the next start, and not at SIGHUP.
    package let needsRestart: Bool
    /// Sets the value in a configuration, given the place in the file.
    let set:
        @Sendable (
            _ value: String, _ place: String, _ configuration: inout ServerConfiguration
        ) throws(ServerError) -> Void
    let differs: @Sendable (ServerConfiguration, ServerConfiguration) -> Bool
    /// Copies the value from the first configuration to the second.
    let keep: @Sendable (ServerConfiguration, inout ServerConfiguration) -> Void

    init<Value: Equatable & SendableMetatype>(
        _ name: String, _ format: SettingFormat<Value>,
        _ path: any (WritableKeyPath<ServerConfiguration, Value> & Sendable), needsRestart: Bool = false
    ) {
        self.name = name
        self.form = format.description
        self.needsRestart = needsRestart
        standard = format.text(ServerConfiguration()[keyPath: path])
        set = { (text, place, configuration) throws(ServerError) in
            guard let value = format.value(text) else {
                throw ServerError(
                    .configuration, "\(place): '\(name)' must be \(format.description)", hint: format.hint)
            }
            configuration[keyPath: path] = value
        }
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        keep = { $1[keyPath: path] = $0[keyPath: path] }
    }
}

/// The difference between the running configuration and a new one.
struct ConfigurationChange: Sendable {
    /// The new configuration, with the present values of the settings that need a restart.
    let applicable: ServerConfiguration
    let applied: [String]
    /// The changed keys that take effect at the next start.
    let heldBack: [String]

    init(from running: ServerConfiguration, to wanted: ServerConfiguration) {
        let changed = ConfigurationKey.all.filter { $0.differs(running, wanted) }
        var applicable = wanted
        for key in changed where key.needsRestart { key.keep(running, &applicable) }
        self.applicable = applicable
        applied = changed.filter { !$0.needsRestart }.map(\.name)
        heldBack = changed.filter(\.needsRestart).map(\.name)
    }
}
