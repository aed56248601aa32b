// SPDX-License-Identifier: Apache-2.0

/// A server's description of itself for a client that scanned its URL.
package struct ServiceDescription: Sendable {
    package let name: String
    /// The server's address.
    package let url: String
    package let rpsPrefix: String
    package let logoURL: String

    package init(name: String, url: String, rpsPrefix: String, logoURL: String) {
        (self.name, self.url, self.rpsPrefix, self.logoURL) = (name, url, rpsPrefix, logoURL)
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.name, name)
        writer.add(.url, url)
        writer.add(.rpsPrefix, rpsPrefix)
        writer.add(.logoURL, logoURL)
        writer.add(.type, "online")
        return writer.finish()
    }

    /// Reads a server's answer; `online` is the only known type.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ServiceDescription {
        let object = try JSONObject(body)
        guard try object.text(.type, in: body).utf8.elementsEqual("online".utf8) else { throw .invalid(.type) }
        return ServiceDescription(
            name: try object.text(.name, in: body), url: try object.text(.url, in: body),
            rpsPrefix: try object.text(.rpsPrefix, in: body), logoURL: try object.text(.logoURL, in: body))
    }
}
