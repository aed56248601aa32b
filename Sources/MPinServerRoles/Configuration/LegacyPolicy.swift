/// What becomes of registrations without a device's key, which log in by two passes as in 2016.
package enum LegacyPolicy: String, Sendable {
    /// New ones are taken, and all log in.
    case allow
    /// Those that there are log in; new ones are refused.
    case enrolled
    /// None is taken, and none is known.
    case refuse
}
