internal import MPinCrypto
internal import MPinWire

/// A share on its way from an answer to where it is used; a class only because tuples cannot hold what is not copyable.
final class Share {
    private var bytes: SecretBytes?

    /// Room for one, which ``fill(_:_:)`` has to fill.
    init() throws(MPinError) {
        do { bytes = try SecretBytes(capacity: RecordFile.pointSize) } catch { throw MPinError(error) }
    }

    /// Decodes a message with a secret point, which goes straight into the buffer for secrets.
    func fill<Message>(
        _ body: Span<UInt8>, _ decode: (Span<UInt8>, inout MutableSpan<UInt8>) throws(WireError) -> Message
    ) throws(WireError) -> Message {
        guard var bytes = bytes.take() else { throw .malformed }
        do throws(WireError) {
            let message = try bytes.withMutableBytes(count: RecordFile.pointSize) { target throws(WireError) in
                try decode(body, &target)
            }
            self.bytes = consume bytes
            return message
        } catch {
            // The next answer may be one.
            self.bytes = consume bytes
            throw error
        }
    }

    /// Hands the share out, once.
    func take() throws(MPinError) -> SecretBytes {
        guard let bytes = bytes.take() else { throw MPinError(.cryptoError, "A share was used twice.") }
        return bytes
    }
}
