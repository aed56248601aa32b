// SPDX-License-Identifier: Apache-2.0
internal import MPinServerRoles

extension ConfigurationKey {
    /// Every setting, in the order of the manual and of what a reload logs. The defaults are those of
    /// ``RoleConfiguration`` and ``ServerConfiguration``. The manual describes each.
    package static let all: [ConfigurationKey] = [
        ConfigurationKey("public_url", .publicURL, \.roles.publicURL),
        ConfigurationKey("service_name", .name, \.roles.serviceName),
        ConfigurationKey("service_logo_url", .text, \.roles.serviceLogoURL),
        ConfigurationKey("max_invalid_login_attempts", .number(1...100), \.roles.maxInvalidLoginAttempts),
        ConfigurationKey("max_recent_wrong_attempts", .number(1...1_000_000), \.roles.maxRecentWrongAttempts),
        ConfigurationKey("hold_unverified", .flag, \.roles.holdUnverified),
        ConfigurationKey("legacy", .word("allow, enrolled or refuse"), \.roles.legacy),
        ConfigurationKey("registration_ttl", .number(60...604_800), \.roles.registrationSeconds),
        ConfigurationKey("invitation_ttl", .number(1...31_536_000), \.roles.invitationSeconds),
        ConfigurationKey("audit_days", .number(0...36_500), \.auditDays),
        ConfigurationKey("second_authority_ca_file", .file, \.roles.secondAuthorityFile, needsRestart: true),
        ConfigurationKey("verify", .word("invitation, mail or hook"), \.roles.verification),
        ConfigurationKey("verify_url", .url, \.roles.verificationURL),
        ConfigurationKey("smtp_url", .mailServer, \.roles.mail.server),
        ConfigurationKey("smtp_user", .optionalText, \.roles.mail.user),
        ConfigurationKey("smtp_password_file", .file, \.roles.mail.passwordFile),
        ConfigurationKey("smtp_ca_file", .file, \.roles.mail.certificateFile),
        ConfigurationKey("mail_from", .mailAddress, \.roles.mail.from),
        ConfigurationKey("mail_domains", .domains, \.roles.mail.domains),
        ConfigurationKey("mails_per_mailbox", .number(1...1_000), \.roles.mail.perMailbox),
        ConfigurationKey("mails_per_source", .number(1...1_000_000), \.roles.mail.perSource),
        ConfigurationKey("failures_per_source", .number(1...1_000_000), \.roles.failuresPerSource),
        ConfigurationKey("failure_refill_seconds", .number(1...86_400), \.roles.failureRefillSeconds),
        ConfigurationKey("listen", .addresses, \.listen, needsRestart: true),
        ConfigurationKey("tls_cert", .file, \.tlsCertificate, needsRestart: true),
        ConfigurationKey("tls_key", .file, \.tlsKey, needsRestart: true),
        ConfigurationKey("tls_copies", .directory, \.tlsCopies, needsRestart: true),
        ConfigurationKey("tls_self_signed", .flag, \.selfSigned, needsRestart: true),
        ConfigurationKey("max_connections", .number(16...1_000_000), \.maxConnections, needsRestart: true),
        ConfigurationKey("connections_per_source", .number(1...1_000_000), \.connectionsPerSource, needsRestart: true),
        ConfigurationKey("trusted_proxy", .proxies, \.proxies, needsRestart: true),
        ConfigurationKey("access_number_ttl", .number(1...3_600), \.roles.accessNumberSeconds),
        ConfigurationKey("otp_ttl", .number(1...600), \.roles.passwordSeconds, needsRestart: true),
        ConfigurationKey("session_ttl", .number(60...2_592_000), \.roles.sessionSeconds, needsRestart: true),
        ConfigurationKey("ssh_certificate_seconds", .number(60...86_400), \.roles.sshCertificateSeconds),
        ConfigurationKey("tpm_device", .tpmDevice, \.tpmDevice, needsRestart: true),
        ConfigurationKey("log_format", .word("text or json"), \.logFormat),
        ConfigurationKey("status_socket", .socket, \.statusSocket, needsRestart: true),
        ConfigurationKey("metrics_listen", .port, \.metricsAddress, needsRestart: true),
    ]
}
