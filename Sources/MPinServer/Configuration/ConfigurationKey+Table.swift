// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles

// The only table of settings. The defaults are those of RoleConfiguration and ServerConfiguration.
extension ConfigurationKey {
    /// Every setting, in the order of the documentation and of what a reload logs.
    package static let all: [ConfigurationKey] =
        appearance + loginLimits + registrations + authorities + verification + mails + sources + connections
        + otherDevices + sealing + diagnosis

    private static let appearance: [ConfigurationKey] = [
        ConfigurationKey(
            "public_url", .publicURL, \.roles.publicURL, since: "0.1",
            """
            the server's public address, instead of the one given to `init`. All links and the session cookie use it, \
            never an address from a request
            """),
        ConfigurationKey(
            "service_name", .name, \.roles.serviceName, since: "0.1", "the server's name on pages and devices"),
        ConfigurationKey(
            "service_logo_url", .text, \.roles.serviceLogoURL, since: "0.1",
            "the address of a picture that devices show next to the name"),
    ]

    private static let loginLimits: [ConfigurationKey] = [
        ConfigurationKey(
            "max_invalid_login_attempts", .number(1...100), \.roles.maxInvalidLoginAttempts, since: "0.1",
            "wrong PINs in a row that block a registration"),
        ConfigurationKey(
            "max_recent_wrong_attempts", .number(1...1_000_000), \.roles.maxRecentWrongAttempts, since: "0.1",
            "wrong PINs within 30 days that block a registration, even with right PINs in between"),
    ]

    private static let registrations: [ConfigurationKey] = [
        ConfigurationKey(
            "force_activate", .flag, \.roles.forceActivate, since: "0.1",
            """
            immediately activate registrations that have no code. Only for experiments: any client can register as any \
            user
            """),
        ConfigurationKey(
            "hold_unverified", .flag, \.roles.holdUnverified, since: "0.1",
            "accept a registration without a code, but keep it inactive until the client sends a code"),
        ConfigurationKey(
            "legacy", .legacy, \.roles.legacy, since: "0.1",
            """
            registrations without a device key, as clients of 2016 make them: `allow` accepts new ones, and codes \
            that clients send in the clear. `enrolled` accepts no new ones, and existing ones can log in. `refuse` \
            rejects all, so their users must run `mpin-enroll recover`. `mpin-server setup` sets `refuse` for a new server
            """),
        ConfigurationKey(
            "registration_ttl", .number(60...604_800), \.roles.registrationSeconds,
            since: "0.1", "seconds after which a registration expires if its secret is not fetched"),
        ConfigurationKey(
            "invitation_ttl", .number(1...31_536_000), \.roles.invitationSeconds, since: "0.1",
            "lifetime of an invitation in seconds, unless `mpin-server invite --ttl` is given"),
        ConfigurationKey(
            "audit_days", .number(0...36_500), \.auditDays, since: "0.1",
            "days for which the audit log is kept; 0 keeps it forever"),
    ]

    private static let authorities: [ConfigurationKey] = [
        ConfigurationKey(
            "second_authority_ca_file", .file, \.roles.secondAuthorityFile, needsRestart: true, since: "0.1",
            "PEM file with CA certificates for a second authority, instead of the system's")
    ]

    private static let verification: [ConfigurationKey] = [
        ConfigurationKey(
            "verify", .verification, \.roles.verification, since: "0.1",
            """
            what verifies a registration. `mail`: a user ID that is a mail address can register without an invitation, \
            and gets a mail with a six-digit code and a link. `hook`: your own application decides
            """),
        ConfigurationKey(
            "verify_url", .url, \.roles.verificationURL, since: "0.1",
            "the address of the application for `verify = hook`; see below"),
    ]

    private static let mails: [ConfigurationKey] = [
        ConfigurationKey(
            "smtp_url", .mailServer, \.roles.mail.server, since: "0.1",
            "the address of the mail server; `smtp://` requires STARTTLS unless the host is a loopback address"),
        ConfigurationKey(
            "smtp_tls", .tls, \.roles.mail.isClear, since: "0.1",
            "encryption for `smtp://`; if not set, `none` for a loopback address and `starttls` otherwise"),
        ConfigurationKey(
            "smtp_user", .optionalText, \.roles.mail.user, since: "0.1",
            "the user name for the mail server; if not set, no authentication"),
        ConfigurationKey(
            "smtp_password_file", .file, \.roles.mail.passwordFile, since: "0.1",
            "file with the password for the mail server, readable only by its owner"),
        ConfigurationKey(
            "smtp_ca_file", .file, \.roles.mail.certificateFile, since: "0.1",
            "PEM file with CA certificates for the mail server, instead of the system's"),
        ConfigurationKey("mail_from", .mailAddress, \.roles.mail.from, since: "0.1", "the sender address of mails"),
        ConfigurationKey(
            "mail_domains", .domains, \.roles.mail.domains, since: "0.1",
            "domains that mails are sent to; if not set, all domains"),
        ConfigurationKey(
            "mails_per_mailbox", .number(1...1_000), \.roles.mail.perMailbox, since: "0.1",
            "mails to one mailbox per day; one source can cause at most half of them"),
        ConfigurationKey(
            "mails_per_source", .number(1...1_000_000), \.roles.mail.perSource, since: "0.1",
            "mails that one source can cause per hour"),
    ]

    private static let sources: [ConfigurationKey] = [
        ConfigurationKey(
            "failures_per_source", .number(1...1_000_000), \.roles.failuresPerSource, since: "0.1",
            """
            failed requests allowed per source, with separate counts for unknown identities, registrations, codes, \
            access numbers, one-time passwords, polls and mail links. A registration without a code, or one that is \
            started again, always counts. Wrong PINs are not included: they are limited per registration. A valid host \
            secret or mail link is never refused
            """),
        ConfigurationKey(
            "failure_refill_seconds", .number(1...86_400), \.roles.failureRefillSeconds, since: "0.1",
            "seconds until a source is allowed one more failed request"),
    ]

    private static let connections: [ConfigurationKey] = [
        ConfigurationKey(
            "listen", .addresses, \.listen, needsRestart: true, since: "0.1",
            """
            the addresses to listen on: `unix:PATH`, `127.0.0.1:PORT`, `[::1]:PORT`, or with TLS any address, such as \
            `0.0.0.0:443`. If not set, the installed server listens on `unix:/run/mpin/server.sock`. `serve --listen` \
            overrides it
            """),
        ConfigurationKey(
            "tls_cert", .file, \.tlsCertificate, needsRestart: true, since: "0.1",
            """
            PEM file with the certificate chain for the ports in `listen`, which then all use TLS. A reload reads the \
            file again. `serve --tls-cert` overrides it
            """),
        ConfigurationKey(
            "tls_key", .file, \.tlsKey, needsRestart: true, since: "0.1",
            "PEM file with the private key of that certificate, which other users cannot read"),
        ConfigurationKey(
            "max_connections", .number(16...1_000_000), \.maxConnections, needsRestart: true, since: "0.1",
            """
            connections to each address, together at most three quarters of the open files that the system allows. \
            The last eighth is \
            reserved: on a Unix socket, for root; on a port, for sources that have no connection yet
            """),
        ConfigurationKey(
            "connections_per_source", .number(1...1_000_000), \.connectionsPerSource, needsRestart: true, since: "0.1",
            """
            when all connections are in use, the server first closes those of sources with at least this many. Also \
            the limit for a source's pending requests. Does not apply to root and trusted proxies
            """),
        ConfigurationKey(
            "trusted_proxy", .proxies, \.proxies, needsRestart: true, since: "0.1",
            """
            the users, such as `www-data`, whose programs are trusted to name the client in the last address of \
            `X-Forwarded-For`, if they connect to a Unix socket. Separate names with commas. `setup --behind-proxy` sets it
            """),
    ]

    private static let otherDevices: [ConfigurationKey] = [
        ConfigurationKey(
            "access_number_ttl", .number(1...3_600), \.roles.accessNumberSeconds,
            since: "0.1", "lifetime of an access number or a link in seconds"),
        ConfigurationKey(
            "access_numbers_per_source", .number(1...1_000_000), \.roles.accessNumbersPerSource, since: "0.1",
            "access numbers and links that a source can get at once; then, one per `failure_refill_seconds`"),
        ConfigurationKey(
            "otp_ttl", .number(1...600), \.roles.passwordSeconds, needsRestart: true, since: "0.1",
            "lifetime of a one-time password in seconds, from the login that created it"),
        ConfigurationKey(
            "session_ttl", .number(60...2_592_000), \.roles.sessionSeconds, needsRestart: true, since: "0.1",
            "seconds for which a browser stays signed in"),
    ]

    private static let sealing: [ConfigurationKey] = [
        ConfigurationKey(
            "tpm_device", .tpmDevice, \.tpmDevice, needsRestart: true, since: "0.1",
            "the TPM for `--seal tpm`: the kernel's resource manager, or the socket of an emulated TPM")
    ]

    private static let diagnosis: [ConfigurationKey] = [
        ConfigurationKey(
            "log_format", .logFormat, \.logFormat, since: "0.1",
            """
            format of the log on standard error: `json` writes one object per line; `text` includes priorities if \
            journald reads it
            """),
        ConfigurationKey(
            "log_level", .logLevel, \.logLevel, since: "0.1",
            "the lowest level that is logged. There is no lower level than `notice`, because it would show M-Pin IDs"),
        ConfigurationKey(
            "status_socket", .socket, \.statusSocket, needsRestart: true, since: "0.1",
            """
            socket where root and the server's account get `/healthz` and `/metrics`; `serve --status` overrides it
            """),
        ConfigurationKey(
            "metrics_listen", .port, \.metricsAddress, needsRestart: true, since: "0.1",
            """
            port that serves `/healthz` and `/metrics` to all clients, without TLS or a password, and nothing else
            """),
    ]
}
