internal import MPin

/// Services that the module treats alike.
struct ServiceList {
    private let names: [StaticString]

    func contains(_ service: String) -> Bool { names.contains { $0.matches(service) } }

    /// Programs of root's that ask whoever sits in front of them.
    static let greeters = ServiceList(names: [
        "login", "remote", "sshd", "gdm", "gdm-password", "gdm-pin", "sddm", "lightdm", "greetd", "xdm", "lxdm", "slim",
        "ly", "cockpit", "xrdp-sesman", "vsftpd", "proftpd", "dovecot", "other",
    ])

    /// Programs with nobody in front of them.
    static let unattended = ServiceList(names: [
        "cron", "crond", "atd", "anacron", "fcron", "systemd-user", "runuser", "runuser-l",
    ])

    /// Programs by which somebody who is logged in becomes somebody else.
    static let switchers = ServiceList(names: ["sudo", "sudo-i", "su", "su-l", "doas", "polkit-1", "run0"])
}
