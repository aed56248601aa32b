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
