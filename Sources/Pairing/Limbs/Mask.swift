// SPDX-License-Identifier: Apache-2.0

/// All bits set or none: the truth value of a comparison on secrets.
///
/// Masks are made in one function that is never inlined. If the optimizer sees that a mask comes from a comparison, it
/// turns selections with the mask into branches.
package struct Mask: Sendable {
    let bits: UInt64

    @inline(__always)
    init(bits: UInt64) {
        self.bits = bits
    }

    /// Set if `value` is 0.
    @inline(__always)
    package init(zero value: UInt64) {
        bits = zeroMask(value)
    }

    /// Set if `bit` is 1; it must be 0 or 1.
    @inline(__always)
    init(bit: UInt64) {
        bits = zeroMask(bit ^ 1)
    }

    static var clear: Mask { Mask(bits: 0) }
    static var set: Mask { Mask(bits: ~0) }

    /// Whether the mask is set, as a value to branch on. Only for values that are public, or become public with this
    /// result.
    package var isSet: Bool { bits != 0 }

    package static prefix func ! (mask: Mask) -> Mask { Mask(bits: ~mask.bits) }
    package static func & (a: Mask, b: Mask) -> Mask { Mask(bits: a.bits & b.bits) }
    package static func | (a: Mask, b: Mask) -> Mask { Mask(bits: a.bits | b.bits) }
}

/// All ones for 0, and 0 for everything else.
@inline(never)
private func zeroMask(_ value: UInt64) -> UInt64 {
    ((value | (0 &- value)) >> 63) &- 1
}
