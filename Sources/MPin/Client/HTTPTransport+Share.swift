internal import MPinCrypto
internal import MPinWire

extension HTTPTransport {
    /// Reads the last answer as a message with a secret point, which goes straight into a buffer for secrets.
    ///
    /// - Throws: RESPONSE_PARSE_ERROR when it is none; CRYPTO_ERROR when the point is not on the curve.
    func readShare<Message>(
        _ decode: (Span<UInt8>, inout MutableSpan<UInt8>) throws(WireError) -> Message
    ) throws(MPinError) -> (message: Message, share: Share) {
        var bytes: SecretBytes
        do { bytes = try SecretBytes(capacity: RecordFile.pointSize) } catch { throw MPinError(error) }
        let message = try read { body throws(WireError) in
            try bytes.withMutableBytes(count: RecordFile.pointSize) { target throws(WireError) in
                try decode(body, &target)
            }
        }
        return (message, Share(consume bytes))
    }
}

/// A share on its way from an answer to where it is used; a class only because tuples cannot hold what is not copyable.
final class Share {
    private var bytes: SecretBytes?

    init(_ bytes: consuming SecretBytes) {
        self.bytes = consume bytes
    }

    /// Hands the share out, once.
    func take() throws(MPinError) -> SecretBytes {
        guard let bytes = bytes.take() else { throw MPinError(.cryptoError, "A share was used twice.") }
        return bytes
    }
}
