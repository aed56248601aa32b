// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import MPin
package import MPinConfiguration
package import MPinWire

extension Locality {
    /// Decides from what the host program and the system report whether a login is remote.
    ///
    /// No name is resolved: names from the network are only compared.
    package init(service: ByteText, remoteHost: ByteText?, isRemoteSession: Bool?, configuration: Configuration) {
        guard !Locality.isRemote(host: remoteHost), !configuration.isRemoteService(service) else {
            self = .remote
            return
        }
        switch isRemoteSession {
        case true: self = .remote
        case false: self = .local
        default: self = configuration.undetermined
        }
    }

    /// Whether the host names a remote host that is not this machine.
    ///
    /// Only loopback addresses count as this machine. Host names never do: a remote client can choose its own, and some
    /// host programs pass on the name that the client sends.
    @inline(never)
    static func isRemote(host: ByteText?) -> Bool {
        guard let host, !host.isEmpty else { return false }
        return unsafe mpin_host_is_loopback(host.cString) == 0
    }
}

/// Decides how the user has to prove their identity.
package enum MethodRule {
    /// The method of a login, and the option that chose it.
    package struct Decision: Sendable {
        package let method: LoginMethod
        /// The setting that would change the method.
        package let setting: ConfigurationOption
    }

    /// The PIN at the machine that has the token, another device for remote logins, unless the configuration says
    /// otherwise.
    package static func choose(_ locality: Locality, service: ByteText, configuration: Configuration) -> Decision {
        if locality == .remote && ServiceList.switchers.contains(service) {
            let method = configuration.sudoOverSSH ?? configuration.method ?? .device
            return Decision(method: method, setting: .sudoOverSSH)
        }
        return Decision(method: configuration.method ?? (locality == .local ? .pin : .device), setting: .method)
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

    /// Programs without a user to ask.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs that change a logged-in user to another account.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
