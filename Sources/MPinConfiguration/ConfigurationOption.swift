internal import MPinWire

/// The options of mpin.conf and of the module's arguments: the only list of what can be configured.
///
/// Another option is another case, and its row in ``row``. Parsing follows from the row, and so does the table of the
/// README, which a test compares with it. What an option means where it is used says `Configuration+Settings.swift`.
package enum ConfigurationOption: Int, Sendable, CaseIterable {
    case server, caFile, serverUser, timeout
    case store, agent, tpm, tpmDevice
    case prompt, tries, guardLast, ignoreUnenrolled, unavailableInSetUID, userMap, tryFirstPass, useFirstPass
    case method, remoteServices, sudoOverSSH, undetermined
    case debug
    case conf

    /// The one table of options.
    @inline(never)
    package var row: ConfigurationRow {
        switch self {
        case .server:
            ConfigurationRow(
                "server", .address, "", in: "server", since: "0.1",
                "`https://HOST[:PORT][/PATH]` or `unix:/PATH`; without it, the server of each registration")
        case .caFile:
            ConfigurationRow(
                "ca_file", .path, "", in: "server", since: "0.1",
                """
                certificates that the server is judged by, in place of the system's; a regular file of root's, or of the \
                program's own user, in directories nobody else can write to
                """)
        case .serverUser:
            ConfigurationRow(
                "server_user", .account, "mpin", in: "server", since: "0.1",
                "whose server is trusted at a socket, besides root's")
        case .timeout:
            ConfigurationRow(
                "timeout", .seconds, "5", in: "server", since: "0.1",
                "seconds for everything after Enter, 1 to 120")
        case .store:
            ConfigurationRow("store", .path, "/var/lib/mpin", in: "store", since: "0.1", "where tokens lie")
        case .agent:
            ConfigurationRow(
                "agent", .pathOrNone, "/run/mpin-agent/agent.sock", in: "store", since: "0.1",
                "the socket of `mpin-agent`, which programs ask that may not read the store; `none` for no agent")
        case .tpm:
            ConfigurationRow(
                "tpm", .tpm, "no", in: "store", since: "0.1",
                """
                `auto`: the key of a new registration is made in the TPM where there is one that can be used, so that a copy of \
                the store is worth nothing elsewhere
                """)
        case .tpmDevice:
            ConfigurationRow(
                "tpm_device", .tpmDevice, "device:/dev/tpmrm0", in: "store", since: "0.1",
                "the TPM that keys are in: `device:/PATH`, or `swtpm:path=/PATH` for an emulated one")
        case .prompt:
            ConfigurationRow(
                "prompt", .text, "", in: "login", since: "0.1",
                "what stands in the prompt in place of `PIN for USER on HOST: `")
        case .tries:
            ConfigurationRow(
                "tries", .tries, "1", in: "login", since: "0.1",
                "how often in one call, 1 to 3, somebody is asked who mistypes the PIN of their own account")
        case .guardLast:
            ConfigurationRow(
                "guard_last", .flag, "yes", in: "login", since: "0.1", "never spend the last try by accident")
        case .ignoreUnenrolled:
            ConfigurationRow(
                "ignore_unenrolled", .flag, "no", in: "login", since: "0.1",
                "step aside for accounts that exist by exactly the name given and hold no token")
        case .unavailableInSetUID:
            ConfigurationRow(
                "unavailable_in_setuid", .refusal, "refuse", in: "login", since: "0.1",
                "`report`: an unreachable server is `PAM_AUTHINFO_UNAVAIL` also in `su`, `sudo` and the like")
        case .userMap:
            ConfigurationRow(
                "user_map", .template, "", in: "login", since: "0.1",
                """
                how an account becomes an identity, as `%u@example.org`; without it, the identity that is enrolled for \
                the account
                """)
        case .tryFirstPass:
            ConfigurationRow(
                "try_first_pass", .flag, "no", in: nil, since: "0.1",
                "take the password that the stack has asked for, if it is shaped like the PIN, and ask otherwise")
        case .useFirstPass:
            ConfigurationRow(
                "use_first_pass", .flag, "no", in: nil, since: "0.1",
                "take the password that the stack has asked for, and fail if it is not shaped like the PIN")
        case .method:
            ConfigurationRow(
                "method", .method, "", in: "remote", since: "0.1",
                """
                `pin`: take the PIN over the network too; without it, only at the machine itself, see [pam.d](pam.d). \
                `device` and `otp` are reserved and refuse every login
                """)
        case .remoteServices:
            ConfigurationRow(
                "remote_services", .names,
                """
                sshd,ssh,xrdp-sesman,vnc,vncserver,tigervnc,wayvnc,weston-remote-access,nx,cockpit,remote,rlogin,rsh,\
                rexec,ftp,vsftpd,proftpd,pure-ftpd,dovecot,imap,pop,pop3,sieve,smtp,smtpd,esmtp,exim
                """, in: "remote", since: "0.1",
                """
                PAM services whose people are remote whatever the program says of them; a list of your own replaces \
                this one. For others, an address that is not a loopback address makes a login remote, and so does every \
                host name, `localhost` too
                """)
        case .sudoOverSSH:
            ConfigurationRow(
                "sudo_over_ssh", .method, "", in: "remote", since: "0.1",
                """
                `pin`: take the PIN for `sudo`, `su` and the like in a remote session; without it, what `method` says. \
                `device` and `otp` are reserved here too
                """)
        case .undetermined:
            ConfigurationRow(
                "undetermined", .locality, "local", in: "remote", since: "0.1",
                "what a login counts as where the system does not know: `local` or `remote`")
        case .debug:
            ConfigurationRow(
                "debug", .flag, "no", in: "log", since: "0.1",
                "a further line in the log for each login: what it counts as")
        case .conf:
            ConfigurationRow(
                "conf", .path, "/etc/mpin/mpin.conf", in: nil, since: "0.1",
                "the file of these options; one that is named has to be there")
        }
    }

    /// The option of that name.
    static func named(_ name: Span<UInt8>) -> ConfigurationOption? {
        for option in allCases where option.row.name.matches(name) { return option }
        return nil
    }
}
