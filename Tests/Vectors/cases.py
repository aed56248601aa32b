#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write cases for OracleTests:  python3 cases.py /path/to/folder-of-mpin_oracle.py FILE [SEED]

More than 100,000 single operations of fields, groups and pairings, with the answers of the oracle; two minutes.
One case a line: the operation, its operands, its result, in hexadecimal as they are encoded. "-" is the point at
infinity, or no value where an encoding is refused. The last line is "end" and the number of cases. Half of all
operands are random, half stand at an edge: around 0 and the modulus, at powers of 2, or of words that are all zeroes
or all ones; as they are, or as the Montgomery form that the arithmetic sees. A seed makes the same file each time.
"""

import random
import sys
import time

if len(sys.argv) not in (3, 4):
    sys.exit(__doc__.strip())
sys.dont_write_bytecode = True
sys.path.insert(0, sys.argv[1])
import mpin_oracle as O  # noqa: E402

SEED = int(sys.argv[3]) if len(sys.argv) == 4 else 1
P, R, U = O.P, O.R, O.U
draw = random.Random(SEED)
TOP = 1 << 256
LAMBDA = -(36 * U**3 + 18 * U**2 + 6 * U + 2)             # of the endomorphism of G1
assert (LAMBDA * LAMBDA + LAMBDA + 1) % R == 0 and 0 < LAMBDA < 1 << 192


# Operands ------------------------------------------------------------------

def around(number):
    return [number + offset for offset in range(-3, 4)]


def words():
    """Four words of 64 bits, each at an edge."""
    edge = (0, 1, 2, (1 << 32) - 1, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1)
    return sum(draw.choice(edge) << 64 * place for place in range(4))


EDGES = sorted({n for base in (0, 1, P, P // 2, P // 3, R, P - R, 2 * P, 3 * P, 4 * P, 5 * P, 6 * P, 7 * P, 2 * R, 4 * R,
                               7 * R, TOP % P, TOP % R, TOP, *(1 << k for k in range(257)), *(P - (1 << k) for k in range(254)))
                for n in around(base) if 0 <= n < TOP})
PER_RADIX = pow(TOP, -1, P)
# Where the split of a scalar into two halves rounds the other way.
HALVES = [n % R for base in (6 * U**2 + 4 * U + 1, -(2 * U + 1)) for m in (0, 1, 2, 3, 1000, base // 2, base - 2, base - 1)
          for n in around((2 * m + 1) * R // (2 * base))]
SCALAR_EDGES = [*EDGES, *HALVES, *around(LAMBDA), *(m * LAMBDA % R for m in (2, 3, (1 << 64) - 1, 1 << 64)),
                *(int(digit * 64, 16) for digit in "78f")]


def wide():
    """Any 256 bits."""
    kind = draw.randrange(4)
    return draw.getrandbits(256) if kind < 2 else draw.choice(EDGES) if kind == 2 else words()


def fp():
    kind = draw.randrange(6)
    if kind < 3:
        return draw.randrange(P)
    number = (draw.choice(EDGES) if draw.random() < 0.6 else words()) % P
    return number if kind == 3 else number * PER_RADIX % P


def fp2():
    return (fp(), fp())


def fp12():
    """Of an element in six all coefficients but a few are 0."""
    x = [fp2() for _ in range(6)]
    if draw.randrange(6) == 0:
        kept = draw.sample(range(6), draw.randrange(1, 3))
        x = [c if k in kept else O.F2_ZERO for k, c in enumerate(x)]
    return x


def nonzero():
    while True:
        x = fp12()
        if any(c != O.F2_ZERO for c in x):
            return x


def scalar():
    return draw.getrandbits(256) if draw.randrange(2) else draw.choice(SCALAR_EDGES)


def word():
    edge = (0, 1, 2, 15, 16, 17, 31, 32, (1 << 32) - 1, 1 << 63, (1 << 64) - 2, (1 << 64) - 1)
    return draw.choice(edge) if draw.randrange(3) == 0 else draw.getrandbits(draw.randrange(1, 65))


def short():
    """A factor of a PIN, below 2^22."""
    edge = (0, 1, 7, 8, 9, 15, 16, 9999, 0x77777, 0x77778, 999999, (1 << 22) - 1)
    return draw.choice(edge) if draw.randrange(4) == 0 else draw.randrange(draw.choice((10**4, 10**6, 1 << 22)))


def easy(x):
    """Into the cyclotomic subgroup: the easy part of the final exponentiation."""
    x = O.f12_mul(O.f12_conj(x), O.f12_inv(x))
    return O.f12_mul(O.f12_frob(x, 2), x)


class Pool:
    """Elements of a group at random, by few expensive operations: sums of those before."""

    def __init__(self, first, add):
        self.elements, self.add = first, add

    def draw(self):
        place = draw.randrange(len(self.elements))
        while (new := self.add(self.elements[place], draw.choice(self.elements))) is None:
            pass
        self.elements[place] = new
        return new


def twist_point():
    """A point of the twist, as good as never in G2."""
    while True:
        x = fp2()
        y = O.f2_sqrt(O.f2_add(O.f2_mul(x, O.f2_mul(x, x)), O.B2))
        if y:
            return (x, y)


g1_pool = Pool([O.map_to_g1(O.int_be(draw.getrandbits(256))) for _ in range(50)], O.g1_add)
g2_pool = Pool([O.g2_mul(draw.randrange(1, R), O.G2_GENERATOR) for _ in range(20)], O.g2_add)
cyclotomic_pool = Pool([easy(nonzero()) for _ in range(50)], O.f12_mul)
twist_points = [twist_point() for _ in range(100)]


def g1():
    return None if draw.randrange(40) == 0 else g1_pool.draw()


def g2():
    return None if draw.randrange(40) == 0 else g2_pool.draw()


def twisted():
    """Of the whole twist."""
    return g2() if draw.randrange(3) else draw.choice(twist_points)


# Encodings -----------------------------------------------------------------

def n(number, length=32):
    return number.to_bytes(length, "big").hex()


def n2(x):
    return n(x[0]) + n(x[1])


def n12(x):
    return O.gt_encode(x).hex()


def p1(point):
    return "-" if point is None else O.g1_encode(point).hex()


def p2(point):
    return "-" if point is None else O.g2_encode(point).hex()


def flag(value):
    return "01" if value else "00"


# Operations: each makes the operands and the result of one case. -------------

def op(make, encode, function, count=1, result=None):
    def case():
        operands = [make() for _ in range(count)]
        return [encode(x) for x in operands] + [(result or encode)(function(*operands))]
    return case


def fp_decode():
    a = wide()
    return [n(a), n(a) if a < P else "-"]


def square_of(multiply, x):
    return multiply(x, x)


def inverse2(x):
    return O.F2_ZERO if x == O.F2_ZERO else O.f2_inv(x)


def inverse12(x):
    return O.f12_inv(x) if any(c != O.F2_ZERO for c in x) else x


def fp2_scale():
    a, k = fp2(), fp()
    return [n2(a), n(k), n2(O.f2_scale(a, k))]


def fp12_pow():
    a, e = fp12(), scalar()
    return [n12(a), n(e), n12(O.f12_pow(a, e))]


def fp12_line():
    a, l, m = fp12(), fp2(), fp2()
    line = [O.F2_ONE, l, O.F2_ZERO, m, O.F2_ZERO, O.F2_ZERO]
    return [n12(a), n2(l), n2(m), n12(O.f12_mul(a, line))]


def scalar_short():
    a, b = word(), word()
    return [n(a, 8), n(b, 8), n((a + b * LAMBDA) % R)]


def sums(draw_point, add, negate, encode):
    """Two to four points: with others, with themselves, with what makes the sum infinity."""
    def case():
        points = [draw_point() for _ in range(draw.randrange(2, 4))]
        kind = draw.randrange(5)
        total = points[0]
        for point in points[1:]:
            total = add(total, point)
        if kind == 1:
            points = points[:1] * 2
        elif kind == 2:
            points.append(total)
        elif kind == 3:
            points.append(negate(total))
        elif kind == 4 and len(points) == 2:
            # Two sums: the same, or each other's negative, of different points.
            third = draw_point()
            points += [third, add(total, negate(third))]
            if draw.randrange(2):
                points[2:] = map(negate, points[2:])
        total = None
        for point in points:
            total = add(total, point)
        return [encode(point) for point in points] + [encode(total)]
    return case


def g1_times(factor, length=32):
    def case():
        k, a = factor(), g1()
        return [n(k, length), p1(a), p1(O.g1_mul(k, a))]
    return case


def g1_map():
    digest = O.int_be(wide())
    return [digest.hex(), p1(O.map_to_g1(digest))]


def spoiled(data):
    """Something that is perhaps still an encoding."""
    kind = draw.randrange(5)
    if kind == 0:
        bit = draw.randrange(8 * len(data))
        number = int.from_bytes(data, "big") ^ 1 << bit
        return number.to_bytes(len(data), "big")
    if kind == 1:
        return data[:-1] if draw.randrange(2) else data + b"\0"
    start = len(data) % 32 + 32 * draw.randrange(len(data) // 32)
    coordinate = int.from_bytes(data[start:start + 32], "big")
    coordinate = P - coordinate if kind == 2 else coordinate + P if kind == 3 else wide()
    return data[:start] + O.int_be(coordinate % TOP) + data[start + 32:]


def g1_decode():
    data = O.g1_encode(g1_pool.draw())
    data = data if draw.randrange(4) == 0 else spoiled(data)
    try:
        O.g1_decode(data)
        return [data.hex(), data.hex()]
    except O.InvalidInput:
        return [data.hex(), "-"]


def g2_decode():
    data = O.g2_encode(g2_pool.draw() if draw.randrange(2) else draw.choice(twist_points))
    data = data if draw.randrange(4) == 0 else spoiled(data)
    try:
        O.g2_decode(data, subgroup=False)
        return [data.hex(), data.hex()]
    except O.InvalidInput:
        return [data.hex(), "-"]


def g2_times():
    k, a = scalar(), g2()
    return [n(k), p2(a), p2(O.g2_mul(k, a))]


def pairing():
    q, a = g2_pool.draw(), g1()
    return [p2(q), p1(a), n12(O.pairing(q, a))]


def product():
    """Of two pairings; one in four is 1."""
    q, a, q2, a2 = g2_pool.draw(), g1(), g2_pool.draw(), g1()
    if draw.randrange(4) == 0:
        k = draw.randrange(1, R)
        q2, a2 = O.g2_mul(k, q), O.g1_neg(O.g1_mul(pow(k, -1, R), a))
    return [p2(q), p1(a), p2(q2), p1(a2), n12(O.pairing_product((q, a), (q2, a2)))]


CASES = {
    "fp.add": (5000, op(fp, n, lambda a, b: (a + b) % P, 2)),
    "fp.sub": (5000, op(fp, n, lambda a, b: (a - b) % P, 2)),
    "fp.mul": (10000, op(fp, n, lambda a, b: a * b % P, 2)),
    "fp.sqr": (4000, op(fp, n, lambda a: a * a % P)),
    "fp.neg": (1500, op(fp, n, lambda a: -a % P)),
    "fp.double": (1500, op(fp, n, lambda a: 2 * a % P)),
    "fp.triple": (1500, op(fp, n, lambda a: 3 * a % P)),
    "fp.inv": (6000, op(fp, n, lambda a: pow(a, -1, P) if a else 0)),
    "fp.odd": (1000, op(fp, n, lambda a: a % 2 == 1, 1, flag)),
    "fp.reduce": (2000, op(wide, n, lambda a: a % P)),
    "fp.decode": (2000, fp_decode),
    "fp2.add": (3000, op(fp2, n2, O.f2_add, 2)),
    "fp2.sub": (3000, op(fp2, n2, O.f2_sub, 2)),
    "fp2.mul": (9000, op(fp2, n2, O.f2_mul, 2)),
    "fp2.sqr": (5000, op(fp2, n2, lambda a: square_of(O.f2_mul, a))),
    "fp2.inv": (4000, op(fp2, n2, inverse2)),
    "fp2.neg": (1000, op(fp2, n2, O.f2_neg)),
    "fp2.conj": (1000, op(fp2, n2, O.f2_conj)),
    "fp2.xi": (1500, op(fp2, n2, lambda a: O.f2_mul(a, O.XI))),
    "fp2.scale": (1500, fp2_scale),
    "fp12.mul": (5000, op(fp12, n12, O.f12_mul, 2)),
    "fp12.sqr": (3000, op(fp12, n12, lambda a: square_of(O.f12_mul, a))),
    "fp12.cyclotomic": (3000, op(cyclotomic_pool.draw, n12, lambda a: square_of(O.f12_mul, a))),
    "fp12.line": (2000, fp12_line),
    "fp12.inv": (1000, op(fp12, n12, inverse12)),
    "fp12.frob": (600, op(fp12, n12, O.f12_frob)),
    "fp12.conj": (300, op(fp12, n12, O.f12_conj)),
    "fp12.pow": (300, fp12_pow),
    "scalar.reduce": (1000, op(scalar, n, lambda a: a % R)),
    "scalar.add": (1000, op(scalar, n, lambda a, b: (a + b) % R, 2)),
    "scalar.neg": (1000, op(scalar, n, lambda a: -a % R)),
    "scalar.short": (500, scalar_short),
    "scalar.canonical": (500, op(scalar, n, lambda a: 0 < a < R, 1, flag)),
    "g1.add": (3000, sums(g1, O.g1_add, O.g1_neg, p1)),
    "g1.neg": (300, op(g1, p1, O.g1_neg)),
    "g1.mul": (2000, g1_times(scalar)),
    "g1.public": (1500, g1_times(scalar)),
    "g1.short": (1500, g1_times(short, 8)),
    "g1.map": (5000, g1_map),
    "g1.decode": (1000, g1_decode),
    "g2.add": (1500, sums(twisted, O.g2_add, O.g2_neg, p2)),
    "g2.neg": (200, op(twisted, p2, O.g2_neg)),
    "g2.mul": (800, g2_times),
    "g2.subgroup": (300, op(twisted, p2, O.g2_in_subgroup, 1, flag)),
    "g2.decode": (700, g2_decode),
    "gt.pairing": (500, pairing),
    "gt.product": (200, product),
}


def main():
    total, start = 0, time.time()
    with open(sys.argv[2], "w") as file:
        for name, (count, case) in CASES.items():
            for _ in range(count):
                print(name, *case(), file=file)
            total += count
        print("end", total, file=file)
    print("%d cases of seed %d in %.0f s" % (total, SEED, time.time() - start))


main()
