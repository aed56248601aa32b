internal import MPinWire

extension HTTPTransport {
    /// Makes a request that must be answered with 200, and decodes the answer.
    ///
    /// - Throws: what the failure means for this endpoint, with whether the PIN may have been judged; RESPONSE_PARSE_ERROR
    ///   when the answer cannot be decoded.
    func request<Answer>(
        _ endpoint: Endpoint, _ url: ByteText, body: [UInt8]? = nil, until deadline: Deadline,
        _ decode: (Span<UInt8>) throws(WireError) -> Answer
    ) throws(MPinError) -> Answer {
        try send(endpoint, url, body: body, until: deadline) { status, answer throws(MPinError) in
            guard status == 200 else { throw endpoint.refusal(httpStatus: status, answer) }
            do throws(WireError) { return try decode(answer) } catch { throw endpoint.unreadable }
        }
    }
}
