/// What became of a key that a registration was to get.
package enum KeyBinding: Sendable {
    /// It has this key, from now on or since before.
    case bound
    /// It has another one, which is never replaced.
    case another
    /// It was revoked or blocked meanwhile.
    case barred
}
