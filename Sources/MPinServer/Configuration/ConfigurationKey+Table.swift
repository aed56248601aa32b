// The one table of settings. Their defaults are those of ServerConfiguration.
extension ConfigurationKey {
    /// Every setting, in the order of the documentation and of what a reload logs.
    package static let all: [ConfigurationKey] =
        appearance + loginLimits + registrations + authorities + verification + mails + sources + connections
        + otherDevices + sealing + diagnosis

    private static let appearance: [ConfigurationKey] = [
        ConfigurationKey(
            "public_url", .publicURL, \.publicURL, since: "0.1",
            """
            the address the world sees, in place of the one given to `init`; every link, and the cookie, go by it and by \
            nothing a request says
            """),
        ConfigurationKey(
            "service_name", .name, \.serviceName, since: "0.1", "what the server calls itself on pages and devices"),
        ConfigurationKey(
            "service_logo_url", formerly: "service_icon_url", .text, \.serviceLogoURL, since: "0.1",
            "a picture that devices show beside the name"),
    ]

    private static let loginLimits: [ConfigurationKey] = [
        ConfigurationKey(
            "max_invalid_login_attempts", .number(1...100), \.maxInvalidLoginAttempts, since: "0.1",
            "wrong PINs in a row that block a registration"),
        ConfigurationKey(
            "max_recent_wrong_attempts", .number(1...1_000_000), \.maxRecentWrongAttempts, since: "0.1",
            "wrong PINs within `recent_wrong_days` that block a registration, whatever right ones were among them"),
        ConfigurationKey(
            "recent_wrong_days", .number(1...366), \.recentWrongDays, since: "0.1",
            "days for which a wrong PIN counts there"),
    ]

    private static let registrations: [ConfigurationKey] = [
        ConfigurationKey(
            "force_activate", .flag, \.forceActivate, since: "0.1",
            "take registrations without a code at once; for experiments, as any client can register as any user"),
        ConfigurationKey(
            "hold_unverified", .flag, \.holdUnverified, since: "0.1",
            "keep registrations without a code, inactive, until one comes"),
        ConfigurationKey(
            "legacy", .legacy, \.legacy, since: "0.1",
            """
            what becomes of registrations without a device's key, as clients of 2016 make them: `allow` takes new ones; \
            `enrolled` takes none, and those that there are log in; `refuse` knows none, so that their users have to run \
            `mpin-enroll recover`. `mpin-server setup` writes `refuse` for a server that it makes
            """),
        ConfigurationKey(
            "registration_ttl", formerly: "verify_user_expire_seconds", .number(60...604_800), \.registrationSeconds,
            since: "0.1", "seconds a registration has until its secret is fetched"),
        ConfigurationKey(
            "invitation_ttl", .number(1...31_536_000), \.invitationSeconds, since: "0.1",
            "seconds an invitation is good, unless `mpin-server invite --ttl` says otherwise"),
        ConfigurationKey(
            "audit_days", .number(0...36_500), \.auditDays, since: "0.1",
            "days for which the audit log is kept; 0: for ever"),
    ]

    private static let authorities: [ConfigurationKey] = [
        ConfigurationKey(
            "second_authority_ca_file", .file, \.secondAuthorityFile, needsRestart: true, since: "0.1",
            "CA certificates for a second authority on another host, in place of the host's")
    ]

    private static let verification: [ConfigurationKey] = [
        ConfigurationKey(
            "verify", .verification, \.verification, since: "0.1",
            """
            `mail`: a user ID that is a mail address may register without an invitation; it gets a mail with a six-digit \
            code and a link. `hook`: an application of the site decides
            """),
        ConfigurationKey(
            "verify_url", formerly: "rpa_verify_user_url", .url, \.hook.url, since: "0.1",
            "that application; see below"),
        ConfigurationKey(
            "verify_ca_file", .file, \.hook.certificateFile, since: "0.1",
            "CA certificates for that application, in place of the host's"),
    ]

    private static let mails: [ConfigurationKey] = [
        ConfigurationKey(
            "smtp_url", .mailServer, \.mail.server, since: "0.1",
            "the mail server; `smtp://` insists on STARTTLS unless the host is a loopback address"),
        ConfigurationKey(
            "smtp_tls", .tls, \.mail.isClear, since: "0.1",
            "what `smtp://` does; without it, `none` on a loopback address and `starttls` anywhere else"),
        ConfigurationKey(
            "smtp_user", .optionalText, \.mail.user, since: "0.1",
            "the user name for the mail server; without it, no authentication"),
        ConfigurationKey(
            "smtp_password_file", .file, \.mail.passwordFile, since: "0.1",
            "the password for the mail server, which only the owner of the file may read"),
        ConfigurationKey(
            "smtp_ca_file", .file, \.mail.certificateFile, since: "0.1",
            "CA certificates for the mail server, in place of the host's"),
        ConfigurationKey(
            "mail_from", .mailAddress, \.mail.from, since: "0.1", "the address that mails come from"),
        ConfigurationKey(
            "mail_domains", .domains, \.mail.domains, since: "0.1", "where mails go; without it, to all domains"),
        ConfigurationKey(
            "mails_per_mailbox", .number(1...1_000), \.mail.perMailbox, since: "0.1",
            "mails to one mailbox in a day, of which one source causes half at most"),
        ConfigurationKey(
            "mails_per_source", .number(1...1_000_000), \.mail.perSource, since: "0.1",
            "mails that one source causes in an hour"),
    ]

    private static let sources: [ConfigurationKey] = [
        ConfigurationKey(
            "failures_per_source", .number(1...1_000_000), \.failuresPerSource, since: "0.1",
            """
            failures a source may have; counted apart for made-up identities, registrations, codes, numbers, passwords, \
            polls and links of mails. Registrations that come without a code, and those begun again, count as well, failed \
            or not. The PIN of a registration is bound by its own count alone, and right secrets and links are never \
            turned away
            """),
        ConfigurationKey(
            "failure_refill_seconds", .number(1...86_400), \.failureRefillSeconds, since: "0.1",
            "seconds after which a source may have one more"),
    ]

    private static let connections: [ConfigurationKey] = [
        ConfigurationKey(
            "max_connections", .number(16...1_000_000), \.maxConnections, needsRestart: true, since: "0.1",
            """
            connections in all, at most three quarters of the open files that the system allows. The last eighth is a \
            reserve: at a Unix socket for root's programs, at a port for sources without another connection
            """),
        ConfigurationKey(
            "connections_per_source", .number(1...1_000_000), \.connectionsPerSource, needsRestart: true, since: "0.1",
            """
            connections that a source keeps when all places are taken, and requests of it that may wait for responses at \
            once; root and trusted proxies are not bound by it
            """),
        ConfigurationKey(
            "trusted_proxy", .proxies, \.proxies, needsRestart: true, since: "0.1",
            """
            believe the last `X-Forwarded-For` of a proxy: `yes` of one on a loopback address; users of this host, as \
            `www-data`, of one that connects to the socket as that user. Both may stand there, with commas
            """),
    ]

    private static let otherDevices: [ConfigurationKey] = [
        ConfigurationKey(
            "access_number_ttl", formerly: "access_number_expire_seconds", .number(1...3_600), \.accessNumberSeconds,
            since: "0.1", "seconds an access number or a link is good"),
        ConfigurationKey(
            "access_number_hold", .number(1...10), \.holdSeconds, since: "0.1",
            "seconds a device waits until the browser has taken its login up"),
        ConfigurationKey(
            "access_numbers_per_source", .number(1...1_000_000), \.accessNumbersPerSource, since: "0.1",
            "access numbers and links a source gets at once; then one for each refill"),
        ConfigurationKey(
            "otp_ttl", .number(1...600), \.passwordSeconds, needsRestart: true, since: "0.1",
            "seconds a one-time password is good, from the login that got it"),
        ConfigurationKey(
            "session_ttl", .number(60...2_592_000), \.sessionSeconds, needsRestart: true, since: "0.1",
            "seconds a browser stays logged in"),
        ConfigurationKey(
            "session_idle_ttl", .number(60...2_592_000), \.sessionIdleSeconds, needsRestart: true, since: "0.1",
            "seconds without a request after which a browser is logged out"),
    ]

    private static let sealing: [ConfigurationKey] = [
        ConfigurationKey(
            "tpm_device", .tpmDevice, \.tpmDevice, needsRestart: true, since: "0.1",
            "the TPM that `--seal tpm` seals the key to: the kernel's resource manager, or the socket of an emulated one"
        )
    ]

    private static let diagnosis: [ConfigurationKey] = [
        ConfigurationKey(
            "log_format", .logFormat, \.logFormat, since: "0.1",
            """
            how the log on standard error is written: `json` is one object a line; `text` has journald's priorities where \
            journald reads it
            """),
        ConfigurationKey(
            "log_level", .logLevel, \.logLevel, since: "0.1",
            "the least that is logged; there is no more detail than `notice`, because it would show M-Pin IDs"),
        ConfigurationKey(
            "status_socket", .socket, \.statusSocket, needsRestart: true, since: "0.1",
            """
            the socket where root and the account of the server get `/healthz` and `/metrics`; `serve --status` goes before \
            it
            """),
    ]
}
