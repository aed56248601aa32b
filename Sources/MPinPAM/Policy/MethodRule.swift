// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinConfiguration
package import MPinWire

/// Whether a login is made at the machine that has the token. Everything that is not known to be local is remote.
package enum Locality: Sendable {
    case local
    /// Anywhere else, with the reason as a clause.
    case remote(reason: ByteText)

    /// Decides from what the host program and the system report whether a login is remote.
    ///
    /// The session of the process decides. A process that does not act for its own user, such as a login prompt, may have
    /// none, but its service must be in `local_services`: most daemons that take a name and a password take them from the
    /// network. No name is resolved.
    package init(service: ByteText, remoteHost: ByteText?, caller: Caller, configuration: Configuration) {
        if Locality.isRemote(host: remoteHost, caller) {
            self = .remote(reason: service + " names a remote host")
            return
        }
        switch caller.place {
        case .remote(let reason): self = .remote(reason: reason)
        case .outside(let reason) where caller.isOwner: self = .remote(reason: reason)
        case .outside, .local:
            let isListed = caller.isOwner || configuration.isLocalService(service)
            self = isListed ? .local : .remote(reason: service + " is not in local_services")
        }
    }

    /// Whether the host program names a remote host that is not this machine.
    ///
    /// Only loopback addresses count as this machine, and only in a program that acts for its own user: others serve
    /// clients that came through a tunnel. Host names never count: a remote client can choose its own, and some host
    /// programs pass on the name that the client sends.
    @inline(never)
    static func isRemote(host: ByteText?, _ caller: Caller) -> Bool {
        guard let host, !host.isEmpty else { return false }
        let isHere = unsafe mpin_host_is_loopback(host.cString) == 1
        return !caller.isOwner || !isHere
    }

    var name: Constant {
        switch self {
        case .local: "local"
        case .remote: "remote"
        }
    }
}

/// Decides whether a login may use the PIN.
package enum MethodRule {
    /// Whether `sudo_over_ssh` applies to a service.
    package static func isSwitch(_ service: ByteText) -> Bool { ServiceList.switchers.contains(service) }

    /// Why a login may not use the PIN, and the setting that would change that; nil if it may: at the machine that has
    /// the token, or if the configuration permits it in remote logins.
    package static func refusal(
        _ locality: Locality, service: ByteText, configuration: Configuration
    ) -> (reason: ByteText, setting: ConfigurationOption)? {
        guard case .remote(let reason) = locality, !configuration.acceptsRemotePIN else { return nil }
        guard isSwitch(service) else { return (reason, .method) }
        return configuration.acceptsRemoteSwitch ? nil : (reason, .sudoOverSSH)
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

    static var sudo: ServiceList { ServiceList(names: "sudo sudo-i") }

    /// Programs without a user to ask.
    static var unattended: ServiceList {
        ServiceList(names: "cron crond atd anacron fcron systemd-user runuser runuser-l")
    }

    /// Programs that change a logged-in user to another account.
    static var switchers: ServiceList { ServiceList(names: "sudo sudo-i su su-l doas polkit-1 run0") }
}
