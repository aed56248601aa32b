// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The options of mpin.conf and of the module's arguments: the only list of what can be configured.
///
/// To add an option, add a case and its row in ``row``. The row drives the parser, and a test compares the manuals'
/// table with it. `Configuration+Settings.swift` defines what an option means where it is used.
package enum ConfigurationOption: Int, Sendable, CaseIterable {
    case server, caFile, serverUser, timeout
    case store, agent, tpm, tpmDevice
    case prompt, tries, guardLast, ignoreUnenrolled, unavailableInSetUID, userMap, tryFirstPass, useFirstPass,
        forwardPass
    case method, localServices, sudoOverSSH
    case debug
    case conf
    case tlsPin, oldServer, serverKey

    /// The only table of options.
    @inline(never)
    package var row: ConfigurationRow {
        switch self {
        case .server:
            ConfigurationRow(
                "server", .address, "", in: "server", since: "0.1",
                "`https://HOST[:PORT][/PATH]` or `unix:/PATH`; if not set, the server where an enrollment was made")
        case .caFile:
            ConfigurationRow(
                "ca_file", .path, "", in: "server", since: "0.1",
                """
                PEM file with the CA certificates used to verify the server, instead of the system's; a regular file that \
                belongs to root or the program's own user, in directories that no other user can write to
                """)
        case .tlsPin:
            ConfigurationRow(
                "tls_pin", .tlsPin, "", in: "server", since: "0.1",
                """
                keys of which the server's certificate must have one, besides being valid under `ca_file`: `sha256//` \
                and the SHA-256 of the public key in Base64, separated by semicolons; useful only if the key stays \
                when the certificate is renewed
                """)
        case .oldServer:
            ConfigurationRow(
                "old_server", .flag, "no", in: "server", since: "0.1",
                """
                the server is one of 2016: `mpin-enroll` accepts an enrollment without a device key, whose logins the \
                server's certificate alone decides
                """)
        case .serverKey:
            ConfigurationRow(
                "server_key", .fingerprint, "", in: "server", since: "0.1",
                """
                fingerprint of the key that `server` must prove in an enrollment; with it, users enroll their own \
                accounts without root
                """)
        case .serverUser:
            ConfigurationRow(
                "server_user", .account, "mpin", in: "server", since: "0.1",
                "account whose server is trusted at a Unix socket, in addition to root")
        case .timeout:
            ConfigurationRow(
                "timeout", .seconds, "5", in: "server", since: "0.1",
                "time limit from Enter to the result, in seconds (1 to 120); in `mpin-enroll`, for each request")
        case .store:
            ConfigurationRow("store", .path, "/var/lib/mpin", in: "store", since: "0.1", "directory with the tokens")
        case .agent:
            ConfigurationRow(
                "agent", .pathOrNone, "/run/mpin-agent/agent.sock", in: "store", since: "0.1",
                "socket of `mpin-agent`, for programs that may not read the store; `none` for no agent")
        case .tpm:
            ConfigurationRow(
                "tpm", .tpm, "no", in: "store", since: "0.1",
                """
                `auto`: create the key of a new registration in the TPM if one is usable, so that a copy of the store is \
                useless on another machine
                """)
        case .tpmDevice:
            ConfigurationRow(
                "tpm_device", .tpmDevice, "device:/dev/tpmrm0", in: "store", since: "0.1",
                "TPM for the keys: `device:/PATH`, or `swtpm:path=/PATH` for an emulated one")
        case .prompt:
            ConfigurationRow(
                "prompt", .text, "", in: "login", since: "0.1", "prompt text instead of `PIN for USER on HOST: `")
        case .tries:
            ConfigurationRow(
                "tries", .tries, "1", in: "login", since: "0.1",
                "how many times (1 to 3) one call asks users for the PIN of their own account if they mistype it")
        case .guardLast:
            ConfigurationRow(
                "guard_last", .flag, "yes", in: "login", since: "0.1", "ask for the PIN twice before the last try")
        case .ignoreUnenrolled:
            ConfigurationRow(
                "ignore_unenrolled", .flag, "no", in: "login", since: "0.1",
                "ignore accounts that have no token; the given name must match exactly")
        case .unavailableInSetUID:
            ConfigurationRow(
                "unavailable_in_setuid", .refusal, "refuse", in: "login", since: "0.1",
                "`report`: return `PAM_AUTHINFO_UNAVAIL` for an unreachable server in `su`, `sudo` and lockers too")
        case .userMap:
            ConfigurationRow(
                "user_map", .template, "", in: "login", since: "0.1",
                """
                rule that maps an account to an identity, such as `%u@example.org`; if not set, the identity that is \
                enrolled for the account
                """)
        case .tryFirstPass:
            ConfigurationRow(
                "try_first_pass", .flag, "no", in: nil, since: "0.1",
                "use the password that the stack has asked for if it is shaped like the PIN; otherwise ask")
        case .useFirstPass:
            ConfigurationRow(
                "use_first_pass", .flag, "no", in: nil, since: "0.1",
                "use the password that the stack has asked for; fail if it is not shaped like the PIN")
        case .forwardPass:
            ConfigurationRow(
                "forward_pass", .flag, "no", in: nil, since: "0.1",
                """
                ask for the PIN or the password, and pass an answer that is not all digits on to the next modules, for \
                stacks where the password is enough
                """)
        case .method:
            ConfigurationRow(
                "method", .method, "", in: "remote", since: "0.1",
                "`pin`: accept the PIN in remote logins too; if not set, only in local ones, see [pam.d](pam.d)")
        case .localServices:
            ConfigurationRow(
                "local_services", .names,
                """
                login,gdm-password,gdm-fingerprint,gdm-smartcard,sddm,lightdm,lxdm,xdm,greetd,slim,ly,vlock,physlock,\
                sudo,sudo-i,su,su-l,mpin-pin
                """, in: "remote", since: "0.1",
                """
                PAM services of programs that run as root, serve any user, and take users from this machine only; your own \
                list replaces this one. For a program that runs for its own user, the login session decides
                """)
        case .sudoOverSSH:
            ConfigurationRow(
                "sudo_over_ssh", .method, "", in: "remote", since: "0.1",
                "`pin`: accept the PIN for `sudo`, `su` and the like in a remote session; if not set, `method` applies")
        case .debug:
            ConfigurationRow(
                "debug", .flag, "no", in: "log", since: "0.1",
                "log one more line for each login, with its locality, caller and method")
        case .conf:
            ConfigurationRow(
                "conf", .path, "/etc/mpin/mpin.conf", in: nil, since: "0.1",
                "configuration file, see mpin.conf(5); if you set this option, the file must exist")
        }
    }

    static func named(_ name: Span<UInt8>) -> ConfigurationOption? {
        for option in allCases where option.row.name.matches(name) { return option }
        return nil
    }
}
