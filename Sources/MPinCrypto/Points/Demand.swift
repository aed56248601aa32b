internal import Pairing

/// Turns the outcome of a check on secret data into a thrown error.
///
/// The one place of the package where a value calculated from secrets decides what is done next: whether a point is on
/// the curve, a scalar is zero, a result is infinity, a PIN is made of digits. Each of these is known to the caller
/// anyway, since it sees the error. Everything else on secrets is calculated without branches, which the
/// constant-time test proves; it names this function as its only exception.
///
/// - Throws: `error` unless all bits of `condition` are set.
@inline(never)
func demand(_ condition: Mask, else error: CryptoError) throws(CryptoError) {
    if !condition.isSet { throw error }
}
