// SPDX-License-Identifier: Apache-2.0

/// The optimal ate pairing e: G2 x G1 -> GT (Vercauteren, "Optimal pairings", 2010), with arguments in this order.
///
/// e(Q, P) = (f_{6u+2,Q}(P) l_{[6u+2]Q, psi(Q)}(P) l_{[6u+2]Q + psi(Q), -psi^2(Q)}(P)) ^ ((p^12 - 1) / r).
package enum AtePairing {
    /// e(Q, P).
    package static func value(_ q: PreparedG2, _ p: G1) -> GT { product((q, p), (q, G1(.infinity))) }

    /// e(Q1, P1) e(Q2, P2), with the squarings of the loops and the final exponentiation done once. A pairing with
    /// infinity is 1.
    package static func product(_ first: (PreparedG2, G1), _ second: (PreparedG2, G1)) -> GT {
        unsafe product(first.0.lines.span.bytes, first.1, second.0.lines.span.bytes, second.1)
    }

    /// e(Q1, P1) e(Q2, P2) with the lines of Q2 as ``PreparedG2/write(_:to:)`` has written them.
    package static func product(_ first: (PreparedG2, G1), lines: Span<UInt8>, _ second: G1) -> GT {
        unsafe product(first.0.lines.span.bytes, first.1, lines.bytes, second)
    }

    private static func product(_ lines1: RawSpan, _ first: G1, _ lines2: RawSpan, _ second: G1) -> GT {
        let f: Fp12
        switch (first.isInfinity.isSet, second.isInfinity.isSet) {
        case (false, false):
            let (place1, place2) = Place.pair(first, second)
            f = loop(lines1, place1, lines2, place2)
        case (false, true): f = loop(lines1, Place(first))
        case (true, false): f = loop(lines2, Place(second))
        case (true, true): f = .one
        }
        return GT(value: f.finalPower)
    }

    private static func line(_ index: Int, of lines: RawSpan) -> Line {
        unsafe lines.unsafeLoad(fromByteOffset: index * MemoryLayout<Line>.stride, as: Line.self)
    }

    private static func loop(_ lines: RawSpan, _ place: Place) -> Fp12 {
        var f = Fp12.one
        var next = 0
        for digit in AteLoop.digits {
            if next > 0 { f = f.squared }
            f.multiply(by: line(next, of: lines), at: place)
            next += 1
            if digit != 0 {
                f.multiply(by: line(next, of: lines), at: place)
                next += 1
            }
        }
        f = f.conjugate
        f.multiply(by: line(next, of: lines), at: place)
        f.multiply(by: line(next + 1, of: lines), at: place)
        return f
    }

    private static func loop(_ lines1: RawSpan, _ place1: Place, _ lines2: RawSpan, _ place2: Place) -> Fp12 {
        var f = Fp12.one
        var next = 0
        for digit in AteLoop.digits {
            if next > 0 { f = f.squared }
            f.multiply(by: line(next, of: lines1), at: place1)
            f.multiply(by: line(next, of: lines2), at: place2)
            next += 1
            if digit != 0 {
                f.multiply(by: line(next, of: lines1), at: place1)
                f.multiply(by: line(next, of: lines2), at: place2)
                next += 1
            }
        }
        // u is negative.
        f = f.conjugate
        for last in next...next + 1 {
            f.multiply(by: line(last, of: lines1), at: place1)
            f.multiply(by: line(last, of: lines2), at: place2)
        }
        return f
    }
}

/// The length of the optimal ate loop: |6u + 2| = 0x18000000016807024.
enum AteLoop {
    /// The signed binary digits below the highest one, from the top: 1, -1 or 0, never two in a row that are not 0.
    ///
    /// 3n has at each place the bit of n plus a signed carry: the digits of n in non-adjacent form are those of 3n less
    /// those of n, without the lowest (Reitwiesner 1960).
    static let digits: [Int8] = {
        let n = UInt128(0x1_8000_0000_1680_7024)
        let triple = n * 3
        var digits: [Int8] = []
        var place = 127 - triple.leadingZeroBitCount
        while place > 1 {
            place -= 1
            let plus = Int8(truncatingIfNeeded: (triple >> UInt128(place)) & 1)
            let minus = Int8(truncatingIfNeeded: (n >> UInt128(place)) & 1)
            digits.append(plus - minus)
        }
        return digits
    }()
}

/// An element of the group of pairing values.
package struct GT: Sendable, Equatable {
    package let value: Fp12

    package static var one: GT { GT(value: .one) }

    package static func == (a: GT, b: GT) -> Bool { a.value.equals(b.value).isSet }
}
