package import MPin

/// Decides where the person is.
package enum Whereabouts {
    /// Judges what the host and the system say.
    ///
    /// Nothing here is resolved or looked up: names that came over the network are only compared.
    package static func judge(
        service: String, remoteHost: String?, isRemoteSession: Bool?, configuration: Configuration
    ) -> Locality {
        if isRemote(host: remoteHost) { return .remote }
        if configuration.remoteServices.contains(where: { $0.hasSameBytes(as: service) }) { return .remote }
        switch isRemoteSession {
        case true: return .remote
        case false: return .local
        default: return configuration.undetermined
        }
    }

    /// Whether a host is named that is not this machine.
    package static func isRemote(host: String?) -> Bool {
        guard let host, !host.utf8.isEmpty else { return false }
        let loopback: [StaticString] = ["localhost", "127.0.0.1", "::1", "localhost.localdomain", "ip6-localhost"]
        return !loopback.contains { $0.matches(host) } && !isLoopbackAddress(host)
    }

    /// `127.` and three more numbers.
    private static func isLoopbackAddress(_ host: String) -> Bool {
        let parts = Array(host.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4, parts[0].elementsEqual("127".utf8) else { return false }
        return parts.allSatisfy { part in
            1...3 ~= part.count && part.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
        }
    }
}
