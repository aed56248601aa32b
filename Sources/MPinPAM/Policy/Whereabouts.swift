package import MPin
package import MPinWire

/// Decides where the person is.
package enum Whereabouts {
    /// Judges what the host and the system say.
    ///
    /// Nothing here is resolved or looked up: names that came over the network are only compared.
    package static func judge(
        service: Text, remoteHost: Text?, isRemoteSession: Bool?, configuration: Configuration
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
    package static func isRemote(host: Text?) -> Bool {
        guard let host, !host.isEmpty else { return false }
        if host.matches("::1") { return false }
        let text = host.bytes.span
        let mapped: StaticString = "::ffff:"
        let isMapped =
            text.count > mapped.utf8CodeUnitCount
            && text.extracting(0..<mapped.utf8CodeUnitCount).matches(mapped)
        return !isLoopbackAddress(isMapped ? text.extracting(mapped.utf8CodeUnitCount..<text.count) : text)
    }

    /// `127.` and three more numbers.
    private static func isLoopbackAddress(_ text: Span<UInt8>) -> Bool {
        guard text.count > 4, text.extracting(0..<4).matches("127.") else { return false }
        var (digits, dots) = (0, 1)
        for index in 4..<text.count {
            switch text[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits += 1
            case UInt8(ascii: "."):
                guard digits > 0 else { return false }
                (digits, dots) = (0, dots + 1)
            default: return false
            }
            guard digits <= 3 else { return false }
        }
        return dots == 3 && digits > 0
    }
}
