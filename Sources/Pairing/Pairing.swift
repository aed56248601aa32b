package struct Mask: Sendable {
    var bits: UInt64
    package init(zero value: UInt64) { bits = value == 0 ? ~0 : 0 }
    package var isSet: Bool { bits == ~0 }
    package static prefix func ! (m: Mask) -> Mask { Mask(zero: m.bits) }
}
package struct Scalar: Sendable {
    package static let byteCount = 32
    package init(_ v: UInt64) {}
    package init(reducing: Span<UInt8>) {}
    package static func isCanonical(_ b: Span<UInt8>) -> Mask { Mask(zero: 1) }
    package func encode(into b: inout MutableSpan<UInt8>) {}
    package var isZero: Mask { Mask(zero: 1) }
    package static func + (a: Scalar, b: Scalar) -> Scalar { a }
    package static prefix func - (a: Scalar) -> Scalar { a }
}
package struct G1: Sendable {
    init() {}
    package static let byteCount = 65
    package static func decode(_ b: Span<UInt8>) -> (point: G1, valid: Mask) { (Self(), Mask(zero: 1)) }
    package func encode(into b: inout MutableSpan<UInt8>) -> Mask { Mask(zero: 1) }
    package init(mapping: Span<UInt8>) {}
    package static func + (a: G1, b: G1) -> G1 { a }
    package func multiplied(by k: Scalar) -> G1 { self }
    package var isInfinity: Mask { Mask(zero: 1) }
}
package struct G2: Sendable {
    init() {}
    package static let byteCount = 128
    package static var generator: G2 { G2() }
    package static func decode(_ b: Span<UInt8>) -> (point: G2, valid: Mask) { (Self(), Mask(zero: 1)) }
    package func encode(into b: inout MutableSpan<UInt8>) -> Mask { Mask(zero: 1) }
    package static func + (a: G2, b: G2) -> G2 { a }
    package func multiplied(by k: Scalar) -> G2 { self }
    package var isInSubgroup: Bool { false }
}
package struct PreparedG2: Sendable { package init(_ p: G2) {} }
package struct GT: Sendable, Equatable {
    init() {}
    package static var one: GT { GT() }
    package init?(encoded: Span<UInt8>) {}
    package var encoded: [UInt8] { [] }
    package var key: UInt64 { 0 }
    package var conjugate: GT { self }
    package func raised(to: UInt64) -> GT { self }
    package static func * (a: GT, b: GT) -> GT { a }
}
package enum AtePairing {
    package static func productIsOne(_ a: (PreparedG2, G1), _ b: (PreparedG2, G1)) -> Bool { false }
    package static func product(_ a: (PreparedG2, G1), _ b: (PreparedG2, G1)) -> GT { GT.one }
    package static func value(_ q: PreparedG2, _ p: G1) -> GT { GT.one }
}
