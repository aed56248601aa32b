internal import CMPinSystem
package import MPin
package import MPinWire

/// Decides where the person is.
package enum Whereabouts {
    /// Judges what the host and the system say.
    ///
    /// Nothing here is resolved or looked up: names that came over the network are only compared.
    package static func judge(
        service: ByteText, remoteHost: ByteText?, isRemoteSession: Bool?, configuration: Configuration
    ) -> Locality {
        if isRemote(host: remoteHost) || configuration.isRemoteService(service) { return .remote }
        switch isRemoteSession {
        case true: return .remote
        case false: return .local
        default: return configuration.undetermined
        }
    }

    /// Whether a host is named that is not this machine.
    ///
    /// Only addresses are this machine's: what a name stands for is settled by whoever wrote it, and some hosts pass on
    /// what the other side says of itself.
    package static func isRemote(host: ByteText?) -> Bool {
        guard let host, !host.isEmpty else { return false }
        return unsafe mpin_host_is_loopback(host.cString) == 0
    }
}
