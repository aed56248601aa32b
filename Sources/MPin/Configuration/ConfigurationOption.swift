internal import MPinWire

/// One row of the table of options: the only list of what can be configured, for the module and for the programs.
public enum ConfigurationOption: Int, Sendable, CaseIterable {
    case conf, server, caFile, serverUser, timeout, store
    case prompt, tries, guardLast, ignoreUnenrolled, unavailableInSetUID, userMap, tryFirstPass, useFirstPass
    case method, remoteServices, sudoOverSSH, undetermined
    case debug

    /// What a value looks like.
    public enum Kind: Sendable {
        /// `yes` or `no`; as an argument the bare name means yes.
        case flag
        /// An absolute path.
        case path
        /// `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
        case address
        /// Whole seconds, 1 to 120.
        case seconds
        /// A number, 1 to 3.
        case tries
        /// One line of text, at most 200 bytes.
        case text
        /// The name of an account.
        case account
        /// Names, separated by commas or white space.
        case names
        /// A template with `%u` for the account and `%%` for a percent sign.
        case template
        /// `pin`, `device` or `otp`.
        case method
        /// `local` or `remote`.
        case locality
        /// `refuse` or `report`.
        case refusal
    }

    /// The name, the same in the file and as an argument.
    public var name: StaticString {
        switch self {
        case .conf: "conf"
        case .server: "server"
        case .caFile: "ca_file"
        case .serverUser: "server_user"
        case .timeout: "timeout"
        case .store: "store"
        case .prompt: "prompt"
        case .tries: "tries"
        case .guardLast: "guard_last"
        case .ignoreUnenrolled: "ignore_unenrolled"
        case .unavailableInSetUID: "unavailable_in_setuid"
        case .userMap: "user_map"
        case .tryFirstPass: "try_first_pass"
        case .useFirstPass: "use_first_pass"
        case .method: "method"
        case .remoteServices: "remote_services"
        case .sudoOverSSH: "sudo_over_ssh"
        case .undetermined: "undetermined"
        case .debug: "debug"
        }
    }

    public var kind: Kind {
        switch self {
        case .conf, .caFile, .store: .path
        case .server: .address
        case .serverUser: .account
        case .timeout: .seconds
        case .prompt: .text
        case .tries: .tries
        case .guardLast, .ignoreUnenrolled, .tryFirstPass, .useFirstPass, .debug: .flag
        case .userMap: .template
        case .method, .sudoOverSSH: .method
        case .remoteServices: .names
        case .undetermined: .locality
        case .unavailableInSetUID: .refusal
        }
    }

    /// The section of the file it stands in; nil when it is an argument only.
    public var section: StaticString? {
        switch self {
        case .conf, .tryFirstPass, .useFirstPass: nil
        case .server, .caFile, .serverUser, .timeout: "server"
        case .store: "store"
        case .prompt, .tries, .guardLast, .ignoreUnenrolled, .unavailableInSetUID, .userMap: "login"
        case .method, .remoteServices, .sudoOverSSH, .undetermined: "remote"
        case .debug: "log"
        }
    }

    /// The value without any configuration, as it would be written; empty for none.
    public var standard: StaticString {
        switch self {
        case .conf: "/etc/mpin/mpin.conf"
        case .store: "/var/lib/mpin"
        case .serverUser: "mpin"
        case .timeout: "5"
        case .tries: "1"
        case .guardLast: "yes"
        case .ignoreUnenrolled, .tryFirstPass, .useFirstPass, .debug: "no"
        case .remoteServices:
            """
            sshd,ssh,xrdp-sesman,vnc,vncserver,tigervnc,wayvnc,weston-remote-access,nx,cockpit,remote,rlogin,rsh,rexec,\
            ftp,vsftpd,proftpd,pure-ftpd,dovecot,imap,pop,pop3,sieve,smtp,smtpd,esmtp,exim
            """
        case .undetermined: "local"
        case .unavailableInSetUID: "refuse"
        case .server, .caFile, .prompt, .userMap, .method, .sudoOverSSH: ""
        }
    }

    /// The version that had it first.
    public var since: StaticString { "1.0" }

    /// The option of that name.
    static func named(_ name: Span<UInt8>) -> ConfigurationOption? {
        for option in allCases where name.matches(option.name) { return option }
        return nil
    }
}
