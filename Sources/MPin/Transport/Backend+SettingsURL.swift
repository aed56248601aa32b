// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

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
