internal import MPinWire

extension HTTPTransport {
    /// Makes a request that must be answered with 200, and decodes the answer.
    func request<Answer>(
        _ endpoint: Endpoint, _ url: ByteText, body: [UInt8]? = nil, until deadline: Deadline,
        _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        var decoded: Answer?
        try request(endpoint, url, body: body, until: deadline) { body throws(WireError) in
            decoded = try decode(body)
        }
        guard let decoded else { throw endpoint.unreadable }
        return decoded
    }
}

extension Server {
    /// Makes a request by which no PIN can be judged, and decodes its answer; see ``ask(_:_:_:body:until:mayRepeat:reading:)``.
    func ask<Answer>(
        _ endpoint: Endpoint, _ setting: MemberName, _ rest: ByteText = ByteText(), body: [UInt8]? = nil,
        until deadline: Deadline, mayRepeat: Bool = true, _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        var decoded: Answer?
        try ask(endpoint, setting, rest, body: body, until: deadline, mayRepeat: mayRepeat) {
            body throws(WireError) in
            decoded = try decode(body)
        }
        guard let decoded else { throw endpoint.unreadable }
        return decoded
    }
}
