internal import MPinWire

/// Services that the module treats alike.
struct ServiceList {
    /// The names with a space between them.
    private let names: Constant

    func contains(_ service: ByteText) -> Bool {
        for name in names.text.parts(between: " ") where name == service { return true }
        return false
    }

    /// Programs of root's that ask whoever sits in front of them.
    static var greeters: ServiceList {
        ServiceList(
            names: """
                login remote sshd gdm gdm-password gdm-pin sddm lightdm greetd xdm lxdm slim ly cockpit xrdp-sesman vsftpd \
                proftpd dovecot other
                """)
    }

    /// Programs with nobody in front of them.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs by which somebody who is logged in becomes somebody else.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
