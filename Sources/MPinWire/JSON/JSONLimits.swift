/// Limits of a message, which bound what a reader spends on it.
package enum JSONLimits {
    /// Bytes of a body.
    package static let size = 65_536
    /// Levels of arrays and objects, the outermost included.
    package static let depth = 16
    /// Members of all objects of a body together.
    package static let members = 256
}
