internal import MPinWire

/// Services that the module treats alike.
struct ServiceList {
    /// The names with a space between them.
    private let names: Constant

    func contains(_ service: ByteText) -> Bool {
        for name in names.text.parts(between: " ") where name == service { return true }
        return false
    }

    /// Programs of root's that ask an unauthenticated person: login prompts and greeters.
    static var greeters: ServiceList {
        ServiceList(
            names: """
                login remote sshd gdm gdm-password gdm-pin sddm lightdm greetd xdm lxdm slim ly cockpit xrdp-sesman vsftpd \
                proftpd dovecot other
                """)
    }

    /// Programs without a person to ask.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs by which a logged-in user changes to another account.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
