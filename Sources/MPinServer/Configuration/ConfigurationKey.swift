/// A setting as a reload sees it: whether it changed, and whether the change can take effect at once.
struct ConfigurationKey: Sendable {
    /// As `server.conf` has it.
    let name: String
    /// Whether a change takes effect only at the next start.
    let needsRestart: Bool
    /// Whether two configurations differ in it.
    let differs: @Sendable (ServerConfiguration, ServerConfiguration) -> Bool
    /// Gives the second configuration what the first has.
    let keep: @Sendable (ServerConfiguration, inout ServerConfiguration) -> Void

    private init<Value: Equatable & SendableMetatype>(
        _ name: String, needsRestart: Bool = false, _ path: any (WritableKeyPath<ServerConfiguration, Value> & Sendable)
    ) {
        self.name = name
        self.needsRestart = needsRestart
        differs = { $0[keyPath: path] != $1[keyPath: path] }
        keep = { $1[keyPath: path] = $0[keyPath: path] }
    }

    static let all: [ConfigurationKey] = [
        // Settings that belong to connections, or to values that were issued already.
        .init("max_connections", needsRestart: true, \.maxConnections),
        .init("connections_per_source", needsRestart: true, \.connectionsPerSource),
        .init("trusted_proxy", needsRestart: true, \.proxies),
        .init("otp_ttl", needsRestart: true, \.passwordSeconds),
        .init("session_ttl", needsRestart: true, \.sessionSeconds),
        .init("session_idle_ttl", needsRestart: true, \.sessionIdleSeconds),

        .init("public_url", \.publicURL), .init("service_name", \.serviceName),
        .init("service_logo_url", \.serviceLogoURL),
        .init("max_invalid_login_attempts", \.maxInvalidLoginAttempts),
        .init("max_recent_wrong_attempts", \.maxRecentWrongAttempts), .init("recent_wrong_days", \.recentWrongDays),
        .init("force_activate", \.forceActivate), .init("hold_unverified", \.holdUnverified),
        .init("registration_ttl", \.registrationSeconds), .init("invitation_ttl", \.invitationSeconds),
        .init("audit_days", \.auditDays), .init("failures_per_source", \.failuresPerSource),
        .init("failure_refill_seconds", \.failureRefillSeconds), .init("access_number_ttl", \.accessNumberSeconds),
        .init("access_numbers_per_source", \.accessNumbersPerSource), .init("access_number_hold", \.holdSeconds),
        .init("verify (mail)", \.verifiesByMail), .init("verify (hook)", \.verifiesByHook),
        .init("verify_url", \.hook.url), .init("verify_ca_file", \.hook.certificateFile),
        .init("smtp_url", \.mail.server), .init("smtp_tls", \.mail.isClear), .init("smtp_user", \.mail.user),
        .init("smtp_password_file", \.mail.passwordFile), .init("smtp_ca_file", \.mail.certificateFile),
        .init("mail_from", \.mail.from), .init("mail_domains", \.mail.domains),
        .init("mails_per_mailbox", \.mail.perMailbox), .init("mails_per_source", \.mail.perSource),
    ]
}

/// The difference between the running configuration and a new one.
struct ConfigurationChange: Sendable {
    /// The new configuration, with the settings that need a restart as they are.
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
