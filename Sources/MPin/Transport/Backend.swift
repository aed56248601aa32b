// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
package import MPinWire

/// The address of an M-Pin server: `https://HOST[:PORT][/PATH]` or `unix:/PATH/OF/SOCKET`.
///
/// A store distinguishes servers by their addresses as they are written: to a store, `https://HOST`, `https://host` and
/// `https://host:443` are three servers. Always use the same spelling.
public struct Backend: Sendable {
    /// The address, without trailing slashes.
    package let address: ByteText

    /// Where requests connect to.
    enum Route {
        case https
        case socket(path: ByteText)
    }

    let route: Route

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

extension Backend {
    /// Converts an address from a server's settings to the URL to call.
    ///
    /// A path belongs to this server. An absolute URL is used as it is if it is `https:` (or `wss:`, which old servers
    /// write). At a socket there is only one server, so only the path of an absolute URL counts. Repeated slashes in
    /// the path, which the reference's default configuration produces, become one.
    ///
    /// - Parameter pathOnly: whether only the path of an absolute URL counts at `https:` addresses too.
    /// - Returns: `nil` if the text is not a usable URL; clear HTTP never is.
    func resolve(_ settingsURL: ByteText, pathOnly: Bool = false) -> ByteText? {
        guard !settingsURL.isEmpty, settingsURL.count <= 2048, settingsURL.isVisible else { return nil }
        if settingsURL.bytes[0] == UInt8(ascii: "/") { return url(path: Backend.singleSlashes(settingsURL, from: 0)) }
        let encrypted = settingsURL.rest(after: "https://") ?? settingsURL.rest(after: "wss://")
        guard let rest = encrypted ?? settingsURL.rest(after: "http://") ?? settingsURL.rest(after: "ws://") else {
            return nil
        }
        var slash = 0
        while slash < rest.count, rest.bytes[slash] != UInt8(ascii: "/") {
            guard rest.bytes[slash] != UInt8(ascii: "@") else { return nil }
            slash += 1
        }
        guard slash > 0 else { return nil }
        let path = Backend.singleSlashes(rest, from: slash)
        switch route {
        case .socket: return url(path: path)
        case .https where encrypted == nil: return nil
        case .https where pathOnly: return url(path: path.rest(below: ownPath) ?? path)
        case .https: return "https://" + ByteText(rest.bytes.span.extracting(0..<slash)) + path
        }
    }

    /// The path of this address, without a slash at the end. An absolute URL of the settings may contain it.
    private var ownPath: ByteText {
        guard let rest = address.rest(after: "https://") else { return ByteText() }
        var slash = 0
        while slash < rest.count, rest.bytes[slash] != UInt8(ascii: "/") { slash += 1 }
        return ByteText(rest.bytes.span.extracting(slash..<rest.count))
    }

    private static func singleSlashes(_ text: ByteText, from start: Int) -> ByteText {
        var path = ByteText()
        var inQuery = false
        var last: UInt8 = 0
        for index in start..<text.count {
            let byte = text.bytes[index]
            if byte == UInt8(ascii: "?") { inQuery = true }
            if byte == UInt8(ascii: "/") && last == byte && !inQuery { continue }
            path.append(byte)
            last = byte
        }
        return path
    }
}

extension ByteText {
    /// Returns the path below another path; `nil` if it is not below it.
    fileprivate func rest(below path: ByteText) -> ByteText? {
        guard !path.isEmpty, count > path.count, bytes[path.count] == UInt8(ascii: "/"),
            bytes.span.extracting(0..<path.count).hasSameBytes(as: path.bytes.span)
        else { return nil }
        return ByteText(bytes.span.extracting(path.count..<count))
    }
}
