/// The address of an M-Pin server: `https://HOST[:PORT][/PATH]` or `unix:/PATH/OF/SOCKET`.
public struct Backend: Sendable {
    /// The address, without slashes at its end.
    public let text: String

    /// Where requests connect to.
    enum Route {
        case https
        case socket(path: String)
    }

    let route: Route

    /// Reads an address.
    ///
    /// - Returns: `nil` for anything but the two forms; plain `http:` is not one of them.
    public init?(_ text: String) {
        var bytes = Array(text.utf8)
        guard bytes.count <= 2048, bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { return nil }
        if let path = Backend.rest(of: bytes, after: "unix:") {
            guard path.first == UInt8(ascii: "/"), path.count > 1, path.count < 108 else { return nil }
            route = .socket(path: String(decoding: path, as: UTF8.self))
        } else {
            while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
            guard let rest = Backend.rest(of: bytes, after: "https://"), let first = rest.first,
                first != UInt8(ascii: "/"), first != UInt8(ascii: ":"),
                !rest.contains(where: { $0 == UInt8(ascii: "@") || $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "#") })
            else { return nil }
            route = .https
        }
        self.text = String(decoding: bytes, as: UTF8.self)
    }

    /// The URL of a path at this server.
    func url(path: String) -> String {
        switch route {
        case .https: text + path
        case .socket: "http://localhost" + path
        }
    }

    private static func rest(of bytes: [UInt8], after prefix: StaticString) -> [UInt8]? {
        guard bytes.count > prefix.utf8CodeUnitCount,
            prefix.matches(String(decoding: bytes.prefix(prefix.utf8CodeUnitCount), as: UTF8.self))
        else { return nil }
        return Array(bytes.dropFirst(prefix.utf8CodeUnitCount))
    }
}
