// SPDX-License-Identifier: Apache-2.0
internal import Pairing

/// Turns the outcome of a check on secret data into a thrown error.
///
/// This is the only place in the package where a value calculated from secrets decides what is done next: whether a
/// point is on the curve, a scalar is zero, a result is infinity, or a PIN consists of digits. The caller learns each
/// of these anyway, since it sees the error. All other code calculates on secrets without branches. The constant-time
/// test proves that, with this function as its only exception.
///
/// - Throws: `error` unless all bits of `condition` are set.
@inline(never)
func demand(_ condition: Mask, else error: CryptoError) throws(CryptoError) {
    if !condition.isSet { throw error }
}
