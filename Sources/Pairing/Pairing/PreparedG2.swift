// SPDX-License-Identifier: Apache-2.0

/// A point of G2 with all lines of its Miller loop, for pairings with many points of G1.
package struct PreparedG2: Sendable {
    let lines: [Line]

    /// - Parameter point: a point in G2 that is not infinity. The time depends on the point.
    package init(_ point: G2) {
        var lines: [Line] = []
        Walk.draw(point) { lines.append($0) }
        self.lines = lines
    }

    // MARK: Secret points

    package static var byteCount: Int { Walk.lineCount * MemoryLayout<Line>.stride }

    /// Writes the lines of a point to memory of the caller, who wipes it.
    ///
    /// - Parameters:
    ///   - point: a point in G2 that is not infinity. The time depends on the point.
    ///   - bytes: at least ``byteCount`` bytes; valid only for pairings in this process.
    package static func write(_ point: G2, to bytes: inout MutableSpan<UInt8>) {
        var memory = unsafe bytes.mutableBytes
        var next = 0
        Walk.draw(point) { line in
            memory.storeBytes(of: line, toByteOffset: next, as: Line.self)
            next += MemoryLayout<Line>.stride
        }
    }
}

/// A point of G2 on its way through the Miller loop.
private struct Walk {
    private var position: (x: Fp2, y: Fp2)

    /// The number of lines: one for each digit of the loop, one more for each digit that is not zero, and the last two.
    static var lineCount: Int {
        var count = 2
        for digit in AteLoop.digits { count += digit == 0 ? 1 : 2 }
        return count
    }

    /// Computes the lines one after the other.
    static func draw(_ point: G2, _ take: (Line) -> Void) {
        let base = point.point.affine
        let negated = (x: base.x, y: -base.y)
        var walk = Walk(position: base)
        for digit in AteLoop.digits {
            take(walk.double())
            if digit != 0 { take(walk.add(digit > 0 ? base : negated)) }
        }
        // u is negative: the loop was run for -(6u + 2).
        walk.position.y = -walk.position.y
        let image = point.point.psi
        take(walk.add(image.affine))
        take(walk.add((-image.psi).affine))
    }

    /// The tangent: m = 3 x^2 / (2 y).
    private mutating func double() -> Line {
        go(slope: position.x.squared.tripled * position.y.doubled.inverse, other: position)
    }

    /// The chord: m = (yT - yS) / (xT - xS).
    private mutating func add(_ other: (x: Fp2, y: Fp2)) -> Line {
        go(slope: (other.y - position.y) * (other.x - position.x).inverse, other: other)
    }

    /// x = m^2 - xS - xT, y = m (xS - x) - yS.
    private mutating func go(slope: Fp2, other: (x: Fp2, y: Fp2)) -> Line {
        let line = Line(slope: slope, through: position)
        let x = slope.squared - position.x - other.x
        position = (x, slope * (position.x - x) - position.y)
        return line
    }
}
