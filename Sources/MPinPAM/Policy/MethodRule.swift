// SPDX-License-Identifier: Apache-2.0
package import MPinConfiguration
package import MPinWire

/// Decides how the user has to prove their identity.
package enum MethodRule {
    /// The method of a login, or why there is none.
    package enum Decision: Sendable {
        case method(LoginMethod, ConfigurationOption)
        /// The login is remote, and the configuration allows no method there; the setting would change that.
        case none(reason: ByteText, ConfigurationOption)
    }

    /// The PIN at the machine that has the token, and nothing for remote logins, unless the configuration says otherwise.
    package static func choose(
        _ locality: Locality, service: ByteText, configuration: Configuration
    ) -> Decision {
        let isSwitch = ServiceList.switchers.contains(service)
        switch locality {
        case .local: return .method(configuration.method ?? .pin, .method)
        case .remote(let reason):
            if isSwitch, let method = configuration.sudoOverSSH { return .method(method, .sudoOverSSH) }
            if let method = configuration.method { return .method(method, .method) }
            return .none(reason: reason, isSwitch ? .sudoOverSSH : .method)
        }
    }
}

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

    /// The services of sudo.
    static var sudo: ServiceList { ServiceList(names: "sudo sudo-i") }

    /// Programs without a user to ask.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs that change a logged-in user to another account.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
