// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// A group of services that the module treats alike.
struct ServiceList {
    /// The names, separated by spaces.
    private let names: Constant

    func contains(_ service: ByteText) -> Bool {
        for name in names.text.parts(between: " ") where name == service { return true }
        return false
    }

    /// Programs of root that ask an unauthenticated user: login prompts and greeters.
    static var greeters: ServiceList {
        ServiceList(
            names: """
                login remote sshd gdm gdm-password gdm-pin sddm lightdm greetd xdm lxdm slim ly cockpit xrdp-sesman vsftpd \
                proftpd dovecot other
                """)
    }

    /// Programs without a user to ask.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs that change a logged-in user to another account.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
