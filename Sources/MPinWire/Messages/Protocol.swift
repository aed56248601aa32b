/// What peers call the protocol.
package enum Protocol {
    /// The version that stands in messages.
    package static let version = "0.3"
}
