/// The optimal ate pairing e: G2 x G1 -> GT (Vercauteren, "Optimal pairings", 2010), with arguments in this order.
///
/// e(Q, P) = (f_{6u+2,Q}(P) l_{[6u+2]Q, psi(Q)}(P) l_{[6u+2]Q + psi(Q), -psi^2(Q)}(P)) ^ ((p^12 - 1) / r).
package enum AtePairing {
    /// e(Q, P).
    package static func value(_ q: PreparedG2, _ p: G1) -> GT {
        product((q, p), (q, G1(.infinity)))
    }

    /// e(Q1, P1) e(Q2, P2), with the squarings of the loops and the final exponentiation done once. A pairing with
    /// infinity is 1.
    package static func product(_ first: (PreparedG2, G1), _ second: (PreparedG2, G1)) -> GT {
        let f: Fp12
        switch (first.1.isInfinity.isSet, second.1.isInfinity.isSet) {
        case (false, false):
            f = loop(first.0.lines, Place(first.1), second.0.lines, Place(second.1))
        case (false, true):
            f = loop(first.0.lines, Place(first.1))
        case (true, false):
            f = loop(second.0.lines, Place(second.1))
        case (true, true):
            f = .one
        }
        return GT(f.finalPower)
    }

    /// Whether e(Q1, P1) e(Q2, P2) = 1.
    package static func productIsOne(_ first: (PreparedG2, G1), _ second: (PreparedG2, G1)) -> Bool {
        product(first, second).value.equals(.one).isSet
    }

    private static func loop(_ lines: [Line], _ place: Place) -> Fp12 {
        var f = Fp12.one
        var next = 0
        for digit in AteLoop.digits {
            f = f.squared
            f.multiply(by: lines[next], at: place)
            next += 1
            if digit != 0 {
                f.multiply(by: lines[next], at: place)
                next += 1
            }
        }
        f = f.conjugate
        f.multiply(by: lines[next], at: place)
        f.multiply(by: lines[next + 1], at: place)
        return f
    }

    private static func loop(_ lines1: [Line], _ place1: Place, _ lines2: [Line], _ place2: Place) -> Fp12 {
        var f = Fp12.one
        var next = 0
        for digit in AteLoop.digits {
            f = f.squared
            f.multiply(by: lines1[next], at: place1)
            f.multiply(by: lines2[next], at: place2)
            next += 1
            if digit != 0 {
                f.multiply(by: lines1[next], at: place1)
                f.multiply(by: lines2[next], at: place2)
                next += 1
            }
        }
        // u is negative.
        f = f.conjugate
        for last in next...next + 1 {
            f.multiply(by: lines1[last], at: place1)
            f.multiply(by: lines2[last], at: place2)
        }
        return f
    }
}
