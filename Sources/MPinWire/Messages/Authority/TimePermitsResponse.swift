/// Permit shares for several days, as an authority answers its server.
package struct TimePermitsResponse: Sendable {
    /// Days since 1970-01-01 UTC, and the 65 bytes of each day's share.
    package let permits: [(date: Int, share: [UInt8])]

    package init(permits: [(date: Int, share: [UInt8])]) {
        self.permits = permits
    }

    /// The body an authority answers with.
    package func encode() -> [UInt8] {
        var shares = JSONWriter()
        for permit in permits { shares.add(plainName: JSONWriter.decimal(permit.date), hex: permit.share.span) }
        var writer = JSONWriter()
        writer.add(.timePermits, json: shares.finish())
        writer.add(.message, "OK")
        return writer.finish()
    }

    /// Reads an authority's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> TimePermitsResponse {
        let shares = try JSONObject(body).object(.timePermits, in: body)
        var permits: [(date: Int, share: [UInt8])] = []
        for (name, value) in shares.entries(in: body) {
            guard let date = date(name), value.kind == .plainText,
                let share = Hex.decode(body.extracting(value.range)), share.count == PointFormat.size,
                share[0] == PointFormat.prefix
            else { throw .invalid(.timePermits) }
            permits.append((date, share))
        }
        return TimePermitsResponse(permits: permits)
    }

    private static func date(_ name: [UInt8]) -> Int? {
        guard 1...10 ~= name.count, name[0] != UInt8(ascii: "0") else { return nil }
        var date = 0
        for byte in name {
            guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
            date = date * 10 + Int(byte - UInt8(ascii: "0"))
        }
        return date <= Int(Int32.max) ? date : nil
    }
}
