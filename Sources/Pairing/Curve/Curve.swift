// SPDX-License-Identifier: Apache-2.0

/// A curve y^2 = x^3 + b over a field.
protocol Curve: Sendable {
    associatedtype Coordinate: CurveField
    /// b.
    static var constant: Coordinate { get }
    /// 3 b a.
    static func timesThreeB(_ a: Coordinate) -> Coordinate
}

/// The operations that a curve needs from the field of its coordinates.
protocol CurveField: Sendable {
    static var zero: Self { get }
    static var one: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    static prefix func - (a: Self) -> Self
    static func * (a: Self, b: Self) -> Self
    /// a b + c d.
    static func dot(_ a: Self, _ b: Self, _ c: Self, _ d: Self) -> Self
    static func select(_ mask: Mask, _ a: Self, _ b: Self) -> Self
    var squared: Self { get }
    var doubled: Self { get }
    var tripled: Self { get }
    /// 1/a; 0 for 0.
    var inverse: Self { get }
    var isZero: Mask { get }
    func equals(_ other: Self) -> Mask
}

extension Field: CurveField {}
extension Fp2: CurveField {}
