// SPDX-License-Identifier: Apache-2.0

/// The difference between the running configuration and a new one.
struct ConfigurationChange: Sendable {
    /// The new configuration, with the present values of the settings that need a restart.
    let applicable: ServerConfiguration
    /// The changed keys that take effect now.
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
