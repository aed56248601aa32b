// SPDX-License-Identifier: Apache-2.0
import Pairing
import Testing

/// Reads cases of kind "fields": one operation of a field or group on plain values.
///
/// Numbers have 64 digits; Fp2 is [re, im]; Fp4 = a0 + a1 s is [a0.re, a0.im, a1.re, a1.im]; Fp12, G1 and G2 are in
/// their encodings. The G2 points are on the twist but not in the subgroup.
struct FieldReader {
    let vector: VectorCase
    let args: [JSON]

    static func check(_ vector: VectorCase) throws {
        guard case .array(let args) = try vector.member("args") else { throw VectorProblem("args") }
        let out = try FieldReader(vector: vector, args: args).run(vector.text("op"))
        guard let out else { return }
        #expect(try out == vector.member("out"), "\(vector.testDescription)")
    }

    /// The result, or nil where the operation is "reject" and the value was refused.
    private func run(_ op: String) throws -> JSON? {
        let parts = op.split(separator: ".").map(String.init)
        guard parts.count == 2 else { throw VectorProblem("unknown operation \(op)") }
        switch parts[0] {
        case "fp": return try fp(parts[1])
        case "fp2": return try fp2(parts[1])
        case "fp4": return try fp4(parts[1])
        case "fp12": return try fp12(parts[1])
        case "g1": return try g1(parts[1])
        case "g2": return try g2(parts[1])
        default: throw VectorProblem("unknown operation \(op)")
        }
    }

    private func fp(_ op: String) throws -> JSON {
        let a = try Values.fp(arg(0))
        let result: Fp
        switch op {
        case "add": result = try a + Values.fp(arg(1))
        case "sub": result = try a - Values.fp(arg(1))
        case "mul": result = try a * Values.fp(arg(1))
        case "sqr": result = a.squared
        case "neg": result = -a
        case "half": result = a * Fp.one.doubled.inverse
        case "inv": result = a.inverse
        case "pow": result = try power(of: a, .one, *)
        default: throw VectorProblem("unknown operation fp.\(op)")
        }
        return Values.json(result)
    }

    private func fp2(_ op: String) throws -> JSON {
        let a = try Values.fp2(arg(0))
        let result: Fp2
        switch op {
        case "add": result = try a + Values.fp2(arg(1))
        case "sub": result = try a - Values.fp2(arg(1))
        case "mul": result = try a * Values.fp2(arg(1))
        case "sqr": result = a.squared
        case "neg": result = -a
        case "conj": result = a.conjugate
        case "inv": result = a.inverse
        case "half": result = a.scaled(by: Fp.one.doubled.inverse)
        case "mul_xi": result = a.timesXi
        case "div_xi": result = a * Fp2.one.timesXi.inverse
        case "scale": result = a.scaled(by: try Values.fp(arg(1)))
        case "pow": result = try power(of: a, .one, *)
        default: throw VectorProblem("unknown operation fp2.\(op)")
        }
        return Values.json(result)
    }

    /// Fp4 as the part of Fp12 that it is, with s = w^3.
    private func fp4(_ op: String) throws -> JSON {
        let a = try Values.fp4(arg(0))
        let result: Fp12
        switch op {
        case "add": result = try a + Values.fp4(arg(1))
        case "sub": result = try a - Values.fp4(arg(1))
        case "mul": result = try a * Values.fp4(arg(1))
        case "sqr": result = a.squared
        case "inv": result = a.inverse
        case "mul_s": result = a * Values.s
        case "frob": result = a.frobenius
        case "conj": result = a.conjugate
        case "pow": result = try power(of: a, .one, *)
        default: throw VectorProblem("unknown operation fp4.\(op)")
        }
        return try Values.json4(result)
    }

    private func fp12(_ op: String) throws -> JSON {
        let a = try Values.fp12(arg(0))
        let result: Fp12
        switch op {
        case "mul": result = try a * Values.fp12(arg(1))
        case "sqr": result = a.squared
        case "inv": result = a.inverse
        case "frob": result = a.frobenius
        case "conj": result = a.conjugate
        case "pow": result = try power(of: a, .one, *)
        case "trace4":
            return .array([a.c0.c0.re, a.c0.c0.im, a.c1.c1.re, a.c1.c1.im].map { Values.json($0.tripled) })
        default: throw VectorProblem("unknown operation fp12.\(op)")
        }
        return Values.json(result)
    }

    private func g1(_ op: String) throws -> JSON? {
        if op == "reject" {
            let bytes = try Values.bytes(arg(0))
            #expect(!G1.decode(bytes.span).valid.isSet, "\(vector.testDescription)")
            return nil
        }
        switch op {
        case "add": return try Values.json(Values.g1(arg(0)) + Values.g1(arg(1)))
        case "sub": return try Values.json(Values.g1(arg(0)) + -Values.g1(arg(1)))
        case "neg": return try Values.json(-Values.g1(arg(0)))
        case "dbl": return try Values.json(Values.g1(arg(0)) + Values.g1(arg(0)))
        case "mul":
            let k = try Values.number(arg(0))
            return try Values.json(Values.g1(arg(1)).multiplied(by: Scalar(reducing: k.span)))
        default: throw VectorProblem("unknown operation g1.\(op)")
        }
    }

    private func g2(_ op: String) throws -> JSON? {
        if op == "reject" {
            let bytes = try Values.bytes(arg(0))
            #expect(!G2.decode(bytes.span).valid.isSet, "\(vector.testDescription)")
            return nil
        }
        switch op {
        case "add": return try Values.json(Values.g2(arg(0)) + Values.g2(arg(1)))
        case "sub": return try Values.json(Values.g2(arg(0)) + -Values.g2(arg(1)))
        case "neg": return try Values.json(-Values.g2(arg(0)))
        case "dbl": return try Values.json(Values.g2(arg(0)) + Values.g2(arg(0)))
        case "mul":
            // The points are outside the subgroup, so the scalar must not be reduced.
            let point = try Values.g2(arg(1))
            let bits = try Values.bits(arg(0)).drop { !$0 }
            let result = bits.dropFirst().reduce(point) { sum, bit in bit ? sum + sum + point : sum + sum }
            return try Values.json(result)
        default: throw VectorProblem("unknown operation g2.\(op)")
        }
    }

    private func arg(_ index: Int) throws -> JSON {
        guard index < args.count else { throw VectorProblem("\(vector.testDescription): too few arguments") }
        return args[index]
    }

    /// a^e for the second argument e.
    private func power<Element>(
        of a: Element, _ one: Element, _ times: (Element, Element) -> Element
    ) throws -> Element {
        try Values.bits(arg(1)).reduce(one) { power, bit in
            bit ? times(times(power, power), a) : times(power, power)
        }
    }
}
