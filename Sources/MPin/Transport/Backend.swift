// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// The address of an M-Pin server: `https://HOST[:PORT][/PATH]` or `unix:/PATH/OF/SOCKET`.
public struct Backend: Sendable {
    /// The address, without trailing slashes.
    package let address: ByteText

    /// Where requests connect to.
    enum Route {
        case https
        case socket(path: ByteText)
    }

    let route: Route

    /// Reads an address.
    ///
    /// - Returns: `nil` for any other form, including plain `http:`.
    package init?(_ text: ByteText) {
        guard text.count <= 2048, text.isVisible else { return nil }
        if let path = text.rest(after: "unix:") {
            guard path.bytes.first == UInt8(ascii: "/"), path.count > 1, path.count < 108 else { return nil }
            route = .socket(path: path)
            address = text
        } else {
            let text = text.withoutSlashesAtEnd
            guard let rest = text.rest(after: "https://"), let first = rest.bytes.first,
                first != UInt8(ascii: "/"), first != UInt8(ascii: ":")
            else { return nil }
            for byte in rest.bytes {
                guard byte != UInt8(ascii: "@"), byte != UInt8(ascii: "?"), byte != UInt8(ascii: "#") else {
                    return nil
                }
            }
            route = .https
            address = text
        }
    }

    /// Whether the server is local and its socket does not exist, or it is remote and this process may not use the
    /// network.
    package var isAbsent: Bool {
        switch route {
        case .https: mpin_network_is_closed() != 0
        case .socket(let path): unsafe mpin_path_is_missing(path.cString) != 0
        }
    }

    /// The URL of a path at this server.
    func url(path: ByteText) -> ByteText {
        switch route {
        case .https: address + path
        case .socket: "http://localhost" + path
        }
    }
}

extension ByteText {
    /// Whether the text consists of visible ASCII characters.
    var isVisible: Bool {
        for byte in bytes where byte <= 0x20 || byte >= 0x7f { return false }
        return true
    }

    /// Returns what follows a prefix; `nil` if the prefix is different, or nothing follows it.
    @inline(never)
    package func rest(after beginning: StaticString) -> ByteText? {
        let length = beginning.utf8CodeUnitCount
        let text = bytes.span
        guard count > length, text.extracting(0..<length).matches(beginning) else { return nil }
        return ByteText(text.extracting(length..<count))
    }

    fileprivate var withoutSlashesAtEnd: ByteText {
        var length = count
        while length > 0, bytes[length - 1] == UInt8(ascii: "/") { length -= 1 }
        return ByteText(bytes.span.extracting(0..<length))
    }
}

extension Backend {
    /// Reads an address.
    ///
    /// - Parameter text: `https://HOST[:PORT][/PATH]` or `unix:/PATH`.
    /// - Returns: `nil` for any other form, including plain `http:`.
    public init?(_ text: String) { self.init(ByteText(text)) }

    /// The address as a string.
    public var text: String { address.string }
}
