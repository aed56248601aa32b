/// What peers call the protocol.
package enum Protocol {
    /// The version that stands in messages.
    package static var version: Text { "0.3" }
}
