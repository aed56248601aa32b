/// What peers call the protocol.
package enum ProtocolVersion {
    /// The version that stands in messages.
    package static var version: ByteText { "0.3" }
}
