extension Backend {
    /// The URL to call for one that stands in a server's settings.
    ///
    /// A path belongs to this server. An absolute URL is taken as it is when it is `https:` (or `wss:`, which old servers
    /// write). At a socket there is only that one server, so just the path of an absolute URL counts. Repeated slashes in
    /// the path, which the reference's default configuration makes, become one.
    /// - Returns: `nil` when the text is no URL that may be called; clear HTTP never is.
    func resolve(_ settingsURL: String) -> String? {
        let bytes = Array(settingsURL.utf8)
        guard !bytes.isEmpty, bytes.count <= 2048, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        guard bytes[0] != UInt8(ascii: "/") else { return url(path: Backend.singleSlashes(bytes[...])) }
        guard let parts = Backend.absolute(bytes) else { return nil }
        let path = Backend.singleSlashes(parts.path)
        switch route {
        case .socket:
            return url(path: path)
        case .https:
            return parts.isEncrypted ? "https://" + String(decoding: parts.host, as: UTF8.self) + path : nil
        }
    }

    private static func absolute(_ bytes: [UInt8]) -> (
        isEncrypted: Bool, host: ArraySlice<UInt8>, path: ArraySlice<UInt8>
    )? {
        let schemes: [(StaticString, Bool)] = [
            ("https://", true), ("wss://", true), ("http://", false), ("ws://", false),
        ]
        for (scheme, isEncrypted) in schemes {
            let length = scheme.utf8CodeUnitCount
            guard bytes.count > length, scheme.matches(String(decoding: bytes[..<length], as: UTF8.self)) else {
                continue
            }
            let rest = bytes[length...]
            let slash = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
            guard slash > rest.startIndex, !rest[..<slash].contains(UInt8(ascii: "@")) else { return nil }
            return (isEncrypted, rest[..<slash], rest[slash...])
        }
        return nil
    }

    private static func singleSlashes(_ path: ArraySlice<UInt8>) -> String {
        var result: [UInt8] = []
        var inQuery = false
        for byte in path {
            if byte == UInt8(ascii: "?") { inQuery = true }
            if byte == UInt8(ascii: "/") && result.last == byte && !inQuery { continue }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }
}
