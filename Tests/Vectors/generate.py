#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the vector files of this directory:  python3 generate.py /path/to/mpin_oracle.py

The oracle is a plain reading of M-Pin's formulas in Python integers, written apart from the Swift code; it is
not needed to run the tests. All inputs are chosen here: from a counter that is
hashed, so that a second run makes the same files, and by hand where an edge is meant.

Each file has `title`, `produced`, `kind` and `cases`. Tests/MPinCryptoTests/Vectors reads them; what a kind's
members mean is written there.
"""

import hashlib
import hmac
import importlib.util
import json
import pathlib
import sys

HERE = pathlib.Path(__file__).parent
PRODUCED = "By generate.py from inputs of its own, answers by a Python oracle that shares no code with this package."


def load(path):
    spec = importlib.util.spec_from_file_location("oracle", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


O = load(sys.argv[1])
counter = 0


def draw(count=32):
    """Bytes that look random and are always the same."""
    global counter
    out = b""
    while len(out) < count:
        counter += 1
        out += hashlib.sha256(b"pam-mpin vectors 1:%d" % counter).digest()
    return out[:count]


def number(bound):
    return int.from_bytes(draw(48), "big") % bound


def scalar():
    return O.int_be(1 + number(O.R - 1))


def h(value):
    return None if value is None else value.hex()


def write(name, title, kind, cases):
    lines = ",\n".join(json.dumps(case) for case in cases)
    text = '{"title": %s,\n"produced": %s,\n"kind": %s,\n"cases": [\n%s\n]}\n' % (
        json.dumps(title), json.dumps(PRODUCED), json.dumps(kind), lines)
    (HERE / name).write_text(text)


def call(name, op, **args):
    """One operation and its whole result, or a refusal."""
    try:
        expect = O.run(op, **{k: O.parse_value(k, str(v)) for k, v in args.items()})
    except O.InvalidInput:
        expect = {"code": -14}
    return {"name": name, "op": op, "args": args, "expect": expect}


# --- fields ----------------------------------------------------------------------------------------------------------

def hex_fp(n): return "%064x" % (n % O.P)
def hex_fp2(x): return [hex_fp(x[0]), hex_fp(x[1])]


EDGES = [0, 1, 2, O.P - 1, O.P - 2, (O.P - 1) // 2, (O.P + 1) // 2, 2**64 - 1, 2**128, 2**192 - 1, 2**253]


def fields():
    P, cases = O.P, []
    half = pow(2, -1, P)

    def add(op, args, out):
        cases.append({"name": op, "op": op, "args": args, "out": out})

    pairs = [(a, b) for a in EDGES for b in EDGES[:5]] + [(number(P), number(P)) for _ in range(25)]
    for a, b in pairs:
        x, y = hex_fp(a), hex_fp(b)
        add("fp.add", [x, y], hex_fp(a + b))
        add("fp.sub", [x, y], hex_fp(a - b))
        add("fp.mul", [x, y], hex_fp(a * b))
    for a in EDGES + [number(P) for _ in range(15)]:
        x = hex_fp(a)
        add("fp.sqr", [x], hex_fp(a * a))
        add("fp.neg", [x], hex_fp(-a))
        add("fp.half", [x], hex_fp(a * half))
        add("fp.inv", [x], hex_fp(pow(a, -1, P) if a else 0))
        e = number(2**256)
        add("fp.pow", [x, "%064x" % e], hex_fp(pow(a, e, P)))
    add("fp.pow", [hex_fp(3), "%064x" % 0], hex_fp(1))
    add("fp.pow", [hex_fp(3), "%064x" % (2**256 - 1)], hex_fp(pow(3, 2**256 - 1, P)))

    two = [(0, 0), (1, 0), (0, 1), (1, 1), (P - 1, P - 1), (P - 1, 0), (0, P - 1)]
    two += [(number(P), number(P)) for _ in range(12)]
    for i, a in enumerate(two):
        b = two[(5 * i + 3) % len(two)]
        x, y = hex_fp2(a), hex_fp2(b)
        add("fp2.add", [x, y], hex_fp2(O.f2_add(a, b)))
        add("fp2.sub", [x, y], hex_fp2(O.f2_sub(a, b)))
        add("fp2.mul", [x, y], hex_fp2(O.f2_mul(a, b)))
        add("fp2.sqr", [x], hex_fp2(O.f2_mul(a, a)))
        add("fp2.neg", [x], hex_fp2(O.f2_neg(a)))
        add("fp2.conj", [x], hex_fp2(O.f2_conj(a)))
        add("fp2.half", [x], hex_fp2(O.f2_scale(a, half)))
        add("fp2.mul_xi", [x], hex_fp2(O.f2_mul(a, O.XI)))
        add("fp2.div_xi", [x], hex_fp2(O.f2_mul(a, O.f2_inv(O.XI))))
        add("fp2.scale", [x, hex_fp(b[0])], hex_fp2(O.f2_scale(a, b[0])))
        if a != (0, 0):
            add("fp2.inv", [x], hex_fp2(O.f2_inv(a)))
        e = number(2**70)
        add("fp2.pow", [x, "%064x" % e], hex_fp2(O.f2_pow(a, e)))

    def gt(): return [(number(P), number(P)) for _ in range(6)]

    for _ in range(8):
        a, b = gt(), gt()
        x, y = O.gt_encode(a).hex(), O.gt_encode(b).hex()
        add("fp12.mul", [x, y], O.gt_encode(O.f12_mul(a, b)).hex())
        add("fp12.sqr", [x], O.gt_encode(O.f12_mul(a, a)).hex())
        add("fp12.inv", [x], O.gt_encode(O.f12_inv(a)).hex())
        add("fp12.frob", [x], O.gt_encode(O.f12_frob(a)).hex())
        add("fp12.conj", [x], O.gt_encode(O.f12_conj(a)).hex())
        e = number(2**256)
        add("fp12.pow", [x, "%064x" % e], O.gt_encode(O.f12_pow(a, e)).hex())
        add("fp12.trace4", [x], [hex_fp(n) for n in O.f12_trace4(a)])

        def four(v):
            return [O.F2_ZERO if k not in (0, 3) else c for k, c in enumerate(v)]

        def hex4(v):
            return [hex_fp(n) for k in (0, 3) for n in v[k]]
        a, b = four(a), four(b)
        s = [O.F2_ZERO] * 3 + [O.F2_ONE] + [O.F2_ZERO] * 2
        add("fp4.add", [hex4(a), hex4(b)], hex4([O.f2_add(p, q) for p, q in zip(a, b)]))
        add("fp4.sub", [hex4(a), hex4(b)], hex4([O.f2_sub(p, q) for p, q in zip(a, b)]))
        add("fp4.mul", [hex4(a), hex4(b)], hex4(O.f12_mul(a, b)))
        add("fp4.sqr", [hex4(a)], hex4(O.f12_mul(a, a)))
        add("fp4.inv", [hex4(a)], hex4(O.f12_inv(a)))
        add("fp4.mul_s", [hex4(a)], hex4(O.f12_mul(a, s)))
        add("fp4.frob", [hex4(a)], hex4(O.f12_frob(a)))
        add("fp4.conj", [hex4(a)], hex4(O.f12_conj(a)))
        add("fp4.pow", [hex4(a), "%064x" % e], hex4(O.f12_pow(a, e)))

    g1 = [O.map_to_g1(draw()) for _ in range(6)]
    g2 = [twist_point() for _ in range(4)]
    for kind, points, encode, plus, minus, times in (
            ("g1", g1, O.g1_encode, O.g1_add, O.g1_neg, O.g1_mul),
            ("g2", g2, O.g2_encode, O.g2_add, O.g2_neg, O.g2_mul_plain)):
        for i, a in enumerate(points):
            b = points[(i + 1) % len(points)]
            x, y = encode(a).hex(), encode(b).hex()
            add(kind + ".add", [x, y], encode(plus(a, b)).hex())
            add(kind + ".add", [x, x], encode(plus(a, a)).hex())
            add(kind + ".sub", [x, y], encode(plus(a, minus(b))).hex())
            add(kind + ".neg", [x], encode(minus(a)).hex())
            add(kind + ".dbl", [x], encode(plus(a, a)).hex())
            for k in (1, 2, 3, O.R - 1 if kind == "g1" else 2**255 + 1, number(O.R)):
                add(kind + ".mul", ["%064x" % k, x], encode(times(k, a)).hex())
            broken = bytearray(encode(a))
            broken[-1] ^= 1
            add(kind + ".reject", [broken.hex()], None)
    write("fields.json", "Fields and groups", "fields", cases)


def twist_point():
    """A point of the twist outside the subgroup."""
    while True:
        x = (number(O.P), number(O.P))
        y = O.f2_sqrt(O.f2_add(O.f2_mul(x, O.f2_mul(x, x)), O.B2))
        if y is not None and not O.g2_in_subgroup((x, y)):
            return (x, y)


# --- single operations -----------------------------------------------------------------------------------------------

SCALARS = [1, 2, 3, 7, 8, 9, 15, 16, 17, 2**64 - 1, 2**64, 2**127, 2**128 - 1, 2**128, 6 * O.U**2, O.R // 2, O.R - 2,
           O.R - 1, O.R + 1, 2 * O.R + 5, 2**253, 2**255 + 12345, 2**256 - 1,
           0x9000000019507E29A17BBEC9059FB6E264BE500A6AD67BB6]


def curve():
    point = O.g1_encode(O.id_point(b"curve")).hex()
    twin = O.g2_encode(O.g2_mul(number(O.R), O.G2_GENERATOR)).hex()
    cases = []
    for k in SCALARS + [number(2**256) for _ in range(20)]:
        name = "k = %x" % k
        cases.append(call(name, "g1_mul", k=O.int_be(k).hex(), point=point))
        cases.append(call(name, "g2_mul", k=O.int_be(k).hex(), point=twin))
        cases.append(call(name, "server_secret", s=O.int_be(k).hex()))
    for k in (0, O.R, 6 * O.R):
        cases.append(call("a multiple of r", "server_secret", s=O.int_be(k).hex()))
    q = O.g2_encode(O.G2_GENERATOR).hex()
    for name, a, b in (("generator", q, point), ("twice", q, O.g1_encode(O.g1_mul(2, O.id_point(b"curve"))).hex()),
                       ("negated", q, O.g1_encode(O.g1_neg(O.id_point(b"curve"))).hex()), ("other", twin, point)):
        cases.append(call(name, "pairing", q=a, p=b))
    for _ in range(3):
        a, b = O.map_to_g1(draw()), O.map_to_g1(draw())
        cases.append(call("sum", "recombine_g1", a=O.g1_encode(a).hex(), b=O.g1_encode(b).hex()))
        c, d = (O.g2_mul(number(O.R), O.G2_GENERATOR) for _ in "ab")
        cases.append(call("sum", "recombine_g2", a=O.g2_encode(c).hex(), b=O.g2_encode(d).hex()))
    cases.append(call("twice the same", "recombine_g1", a=point, b=point))
    cases.append(call("twice the same", "recombine_g2", a=twin, b=twin))
    write("curve.json", "Multiples, sums and pairing values", "calls", cases)


IDENTITIES = [b"", b"a", b"bob@example.com", "J\u00fcrgen".encode(), "\u65e5\u672c".encode(), bytes(range(256)),
              b"x" * 55, b"y" * 64, b"z" * 1000, b'{"mobile":0,"issued":"2026-01-02T03:04:05Z","userID":"bob"}']


def hashing():
    cases = [call("identity", op, id=i.hex()) for i in IDENTITIES for op in ("hash_id", "id_point")]
    cases += [call("server's points", "server_1", id=i.hex(), date=d) for i in IDENTITIES[:4] for d in (0, 1, 20000)]
    for d in (1, 255, 256, 20000, 65536, 2**31 - 1):
        cases.append(call("day %d" % d, "hash_date", date=d, digest=draw().hex()))
    for value in (0, 1, O.P - 1, O.P, O.P + 1, 7 * O.P, 2**256 - 1):
        cases.append(call("digest %x" % value, "map_to_g1", digest=O.int_be(value).hex()))
    cases += [call("digest", "map_to_g1", digest=draw().hex()) for _ in range(20)]
    write("hash.json", "Hashing and the map to G1", "calls", cases)


def pins():
    texts = ["0000", "0001", "0009", "1234", "9999", "00000", "12345", "99999", "000000", "123456", "999999", "a",
             "correct horse", "p\u00e4ssword", "\u30d1\u30b9", "zzzzzzzz", "12345678", " ", "~~~~~~"]
    cases = [call(repr(text), "java_hash", text=text) for text in texts]
    for pin in (0, 1, 9999, 10000, 10001, 16383, 16384, 123456, 2**31 - 1, -1, -9999, -10000, -10001, -(2**31)):
        cases.append(call("integer %d" % pin, "pin_factor", pin=pin))
    for pin in (0, 1, 4711, 9999, -3):
        cases.append(call("token, pin %d" % pin, "extract_pin", id=b"carol".hex(), pin=pin,
                          secret=O.client_secret(scalar(), O.hash_id(b"carol")).hex()))
    write("pin.json", "From a PIN to its factor", "calls", cases)


def access_numbers():
    cases = [call(text, "access_number_checksum", text=text)
             for text in ("%06d" % number(10**6) for _ in range(40)) if O.access_number_checksum(text) != 10]
    write("access-number.json", "Check digits of access numbers, other than 10", "calls", cases)


def malformed():
    identity = b"mallory"
    hashed = O.hash_id(identity)
    s, x, y = scalar(), scalar(), scalar()
    point = O.id_point(identity)
    good = O.g1_encode(point)
    secret = O.client_secret(s, hashed)
    token = O.extract_pin(identity, 1234, secret)
    permit = O.client_permit(20000, s, hashed)
    run = O.client_1(20000, identity, x, 1234, token, permit)
    v = O.client_2(x, y, run["sec"])
    server = O.server_1(20000, identity)
    sst = O.server_secret(s)

    def bad_points(p):
        px, py = p[1:33], p[33:]
        n, m = int.from_bytes(px, "big"), int.from_bytes(py, "big")
        yield "first byte 00", b"\x00" + p[1:]
        yield "first byte 02", b"\x02" + p[1:]
        yield "first byte 05", b"\x05" + p[1:]
        yield "hybrid", bytes([6 + (m & 1)]) + p[1:]
        yield "x + p", b"\x04" + O.int_be(n + O.P) + py
        yield "y + p", b"\x04" + px + O.int_be(m + O.P)
        yield "x + 1", b"\x04" + O.int_be((n + 1) % O.P) + py
        yield "swapped", b"\x04" + py + px
        yield "zero", b"\x04" + bytes(64)
        yield "all zero", bytes(65)
        yield "all ones", b"\xff" * 65
        yield "empty", b""
        yield "one zero byte", b"\x00"
        yield "compressed", bytes([2 + (m & 1)]) + px
        yield "without prefix", p[1:]
        yield "cut", p[:-1]
        yield "one more", p + b"\x00"

    def bad_twist_points(p):
        yield "outside the subgroup", O.g2_encode(twist_point())
        yield "of the order of the cofactor", O.g2_encode(O.g2_mul_plain(O.R, twist_point()))
        yield "good plus one outside", O.g2_encode(O.g2_add(O.g2_decode(p), O.g2_mul_plain(O.R, twist_point())))
        for at in range(4):
            n = int.from_bytes(p[32 * at:32 * at + 32], "big")
            yield "coordinate %d + p" % at, p[:32 * at] + O.int_be(n + O.P) + p[32 * at + 32:]
        yield "off the twist", p[:-1] + bytes([p[-1] ^ 1])
        yield "parts swapped", p[32:64] + p[:32] + p[96:] + p[64:96]
        yield "zero", bytes(128)
        yield "all ones", b"\xff" * 128
        yield "empty", b""
        yield "cut", p[:-1]
        yield "with prefix", b"\x04" + p
        yield "x only", p[:64]

    cases = [call("good", "g1_check", point=good.hex()), call("good", "g2_check", point=sst.hex())]
    for name, bad in bad_points(good):
        cases.append(call(name, "g1_check", point=bad.hex()))
        cases.append(call("first share: " + name, "recombine_g1", a=bad.hex(), b=good.hex()))
        cases.append(call("second share: " + name, "recombine_g1", a=good.hex(), b=bad.hex()))
        cases.append(call("secret: " + name, "extract_pin", id=identity.hex(), pin=1, secret=bad.hex()))
        cases.append(call("token: " + name, "client_1", date=20000, id=identity.hex(), x=x.hex(), pin=1,
                          token=bad.hex(), permit=permit.hex()))
        cases.append(call("permit: " + name, "client_1", date=20000, id=identity.hex(), x=x.hex(), pin=1,
                          token=token.hex(), permit=bad.hex()))
        cases.append(call("SEC: " + name, "client_2", x=x.hex(), y=y.hex(), sec=bad.hex()))
    whole = dict(date=20000, hid=h(server["hid"]), htid=h(server["htid"]), y=y.hex(), sst=sst.hex(), u=h(run["u"]),
                 ut=h(run["ut"]), v=v.hex())
    cases.append(call("good run", "server_2", **whole))
    for key in ("v", "ut"):
        for name, bad in bad_points(bytes.fromhex(whole[key])):
            cases.append(call("%s: %s" % (key, name), "server_2", **dict(whole, **{key: bad.hex()})))
    for name, bad in bad_twist_points(sst):
        cases.append(call(name, "g2_check", point=bad.hex()))
        cases.append(call("server secret: " + name, "server_2", **dict(whole, sst=bad.hex())))
        cases.append(call("first share: " + name, "recombine_g2", a=bad.hex(), b=sst.hex()))
        cases.append(call("second share: " + name, "recombine_g2", a=sst.hex(), b=bad.hex()))
    opposite = O.g1_encode(O.g1_neg(O.g1_mul(int.from_bytes(y, "big"), O.g1_decode(server["htid"]))))
    cases.append(call("UT + y A' is infinity", "server_2", **dict(whole, ut=opposite.hex())))
    for name, bad in (("31 bytes", bytes(30) + b"\x01"), ("33 bytes", bytes(32) + b"\x01"), ("empty", b"")):
        cases.append(call("y: " + name, "server_2", **dict(whole, y=bad.hex())))
        cases.append(call("y: " + name, "client_2", x=x.hex(), y=bad.hex(), sec=secret.hex()))
        cases.append(call("x: " + name, "client_2", x=bad.hex(), y=y.hex(), sec=secret.hex()))
        cases.append(call("s: " + name, "server_secret", s=bad.hex()))
        cases.append(call("s: " + name, "client_secret", s=bad.hex(), hashed_id=hashed.hex()))
    minus = O.int_be(O.R - int.from_bytes(x, "big"))
    cases.append(call("x + y = r", "client_2", x=x.hex(), y=minus.hex(), sec=secret.hex()))
    for zero in (0, O.R, 3 * O.R):
        text = O.int_be(zero).hex()
        cases.append(call("x is 0", "client_1", date=0, id=identity.hex(), x=text, pin=1, token=token.hex()))
        cases.append(call("s is 0", "server_secret", s=text))
    inverse = O.g1_encode(O.g1_neg(point)).hex()
    cases.append(call("shares cancel", "recombine_g1", a=good.hex(), b=inverse))
    cases.append(call("shares cancel", "recombine_g2", a=sst.hex(), b=O.g2_encode(O.g2_neg(O.g2_decode(sst))).hex()))
    pinned = O.g1_encode(O.g1_mul(77, point)).hex()
    cases.append(call("the token is infinity", "extract_pin", id=identity.hex(), pin=77, secret=pinned))
    cases.append(call("SEC is infinity", "client_1", date=0, id=identity.hex(), x=x.hex(), pin=1, token=inverse))
    for bad in (b"", hashed[:31], hashed + b"\x00", hashed.hex().encode()):
        cases.append(call("hash of %d bytes" % len(bad), "client_secret", s=s.hex(), hashed_id=bad.hex()))
        cases.append(call("digest of %d bytes" % len(bad), "map_to_g1", digest=bad.hex()))
    one = O.gt_encode(O.F12_ONE)
    cases.append(call("Fp12: coordinate p", "pin_error", e=(O.int_be(O.P) + one[32:]).hex(), f=one.hex()))
    cases.append(call("Fp12: cut", "pin_error", e=one.hex(), f=one[:-1].hex()))
    write("malformed.json", "What must be refused, and the good values beside it", "calls", cases)


def pin_errors():
    f = O.pairing(O.G2_GENERATOR, O.id_point(b"pin error"))
    cases = []
    for d in (1, -1, 2, 9, -90, 141, 142, 143, 1000, -4321, 9998, 9999, -9998, -9999, 0, 10000, -10000, 123456):
        e = O.f12_pow(O.f12_conj(f) if d > 0 else f, abs(d))
        cases.append(call("d = %d" % d, "pin_error", e=O.gt_encode(e).hex(), f=O.gt_encode(f).hex()))
    other = O.pairing(O.G2_GENERATOR, O.id_point(b"unrelated"))
    cases.append(call("unrelated", "pin_error", e=O.gt_encode(other).hex(), f=O.gt_encode(f).hex()))
    write("pin-error.json", "The difference in E = F^-d", "calls", cases)


# --- runs ------------------------------------------------------------------------------------------------------------

def run(name, identity=b"dave@example.net", date=0, setup=1234, login=None, x=None, y=None, permit_id=None,
        token_of=None, changes=None):
    """A complete run; what the server sees can be changed by functions of what it would have seen."""
    login = setup if login is None else login
    s1, s2, x, y = scalar(), scalar(), x or scalar(), y or scalar()
    hashed = O.hash_id(identity)
    c = {"name": name, "id": identity.hex(), "hashed_id": hashed.hex(), "s1": s1.hex(), "s2": s2.hex(), "date": date}
    ss = [O.server_secret(s) for s in (s1, s2)]
    cs = [O.client_secret(s, hashed) for s in (s1, s2)]
    c["server_share_1"], c["server_share_2"] = map(h, ss)
    c["client_share_1"], c["client_share_2"] = map(h, cs)
    sst, secret = O.recombine_g2(*ss), O.recombine_g1(*cs)
    c["server_secret"], c["client_secret"] = h(sst), h(secret)
    token = O.extract_pin(identity, setup, secret)
    c.update(pin_setup=setup, pin_login=login, token=h(token), x=h(x), y=h(y))
    permit = None
    if date:
        permit_hash = O.hash_id(permit_id) if permit_id else hashed
        if permit_id:
            c["permit_hashed_id"] = h(permit_hash)
        ps = [O.client_permit(date, s, permit_hash) for s in (s1, s2)]
        permit = O.recombine_g1(*ps)
        c["permit_share_1"], c["permit_share_2"], c["permit"] = h(ps[0]), h(ps[1]), h(permit)
    if token_of == "other":
        shares = [O.client_secret(s, O.hash_id(b"eve")) for s in (s1, s2)]
        token = O.extract_pin(identity, setup, O.recombine_g1(*shares))
        c["token_used"] = h(token)
    elif token_of == "half":
        token = O.extract_pin(identity, setup, cs[0])
        c["token_used"] = h(token)
    first = O.client_1(date, identity, x, login, token, permit)
    v = O.client_2(x, y, first["sec"])
    c.update(sec=h(first["sec"]), u=h(first["u"]), ut=h(first.get("ut")), v=h(v))
    seen = {"id": identity, "date": date, "y": y, "server_secret": sst, "u": first["u"], "ut": first.get("ut"), "v": v}
    seen.update({key: change(dict(seen)) for key, change in (changes or {}).items()})
    points = O.server_1(seen["date"], seen["id"])
    result = O.server_2(seen["date"], points["hid"], points.get("htid"), seen["y"], seen["server_secret"], seen["u"],
                        seen["ut"], seen["v"])
    server = {key: value if isinstance(value, int) else h(value) for key, value in seen.items()}
    server.update(hid=h(points["hid"]), htid=h(points.get("htid")), status=result["status"])
    if "e" in result:
        server.update(e=h(result["e"]), f=h(result["f"]), pin_error=O.pin_error(result["e"], result["f"]))
    c["server"] = server
    return c


def negated(p):
    return O.g1_encode(O.g1_neg(O.g1_decode(p)))


def replayed(seen, other, identity):
    """UT' = UT + (y - y') A': the commitment that makes an old V answer another challenge."""
    base = O.g1_decode(O.server_1(seen["date"], identity)["htid"])
    k = (int.from_bytes(seen["y"], "big") - int.from_bytes(other, "big")) % O.R
    return O.g1_encode(O.g1_add(O.g1_decode(seen["ut"]), O.g1_mul(k, base)))


def runs():
    cases = []
    for i, identity in enumerate(IDENTITIES):
        cases.append(run("identity %d" % i, identity, date=0 if i % 2 else 20000 + i, setup=(i * 1111) % 10000))
    for date in (0, 20000):
        for setup, login in ((0, 0), (9999, 9999), (1234, 1235), (1234, 1233), (0, 9999), (9999, 0), (1111, 9111),
                             (12345, 2345), (-7, -7), (-7, 7)):
            cases.append(run("set %d, typed %d, day %d" % (setup, login, date), date=date, setup=setup, login=login))
        one, big = O.int_be(1), O.int_be(2**256 - 1)
        for x, y in ((one, one), (O.int_be(O.R - 1), O.int_be(2)), (big, one), (one, big), (one, O.int_be(O.R - 2))):
            cases.append(run("x %s y %s day %d" % (x.hex(), y.hex(), date), date=date, x=x, y=y))
        cases.append(run("token of another", date=date, token_of="other"))
        cases.append(run("token of one share", date=date, token_of="half"))
        cases.append(run("server takes another identity", date=date, changes={"id": lambda s: b"frank"}))
        cases.append(run("server has another secret", date=date,
                         changes={"server_secret": lambda s: O.server_secret(scalar())}))
        cases.append(run("server takes another challenge", date=date, changes={"y": lambda s: scalar()}))
        cases.append(run("V negated", date=date, changes={"v": lambda s: negated(s["v"])}))
        cases.append(run("V is U", date=date, changes={"v": lambda s: s["u"]}))
        key = "ut" if date else "u"
        cases.append(run("%s negated" % key, date=date, changes={key: lambda s: negated(s[key])}))
    for days in (-30, -1, 1, 30):
        cases.append(run("server %d days off" % days, date=20000, changes={"date": lambda s: s["date"] + days}))
    cases.append(run("permit of another", date=20000, permit_id=b"eve"))
    cases.append(run("UT is U", date=20000, changes={"ut": lambda s: s["u"]}))
    cases.append(run("U is unrelated, and not looked at beside UT", date=20000,
                     changes={"u": lambda s: O.g1_encode(O.map_to_g1(draw()))}))
    identity = b"dave@example.net"
    other = scalar()
    cases.append(run("old V for a challenge known beforehand: the mathematics accepts it", date=20000,
                     changes={"ut": lambda s: replayed(s, other, identity), "y": lambda s: other}))
    write("runs.json", "Complete runs in two passes", "mpin-e2e", cases)


def one_pass():
    cases = []
    for date in (0, 20000):
        for name, setup, login, message, served, when, then in (
                ("plain", 1234, 1234, b"", b"", 1767225600, 1767225600),
                ("first second", 0, 0, b"", b"", 1, 1),
                ("last second", 9999, 9999, b"", b"", 2**31 - 1, 2**31 - 1),
                ("message", 42, 42, b"transfer 100", b"transfer 100", 1767225600, 1767225600),
                ("message of 190 bytes", 42, 42, b"m" * 190, b"m" * 190, 1767225600, 1767225600),
                ("message of 4000 bytes", 42, 42, b"m" * 4000, b"m" * 4000, 1767225600, 1767225600),
                ("wrong PIN", 1234, 1243, b"", b"", 1767225600, 1767225600),
                ("another time", 1234, 1234, b"", b"", 1767225600, 1767225601),
                ("another message", 1234, 1234, b"transfer 100", b"transfer 900", 1767225600, 1767225600),
                ("a message where there was none", 1234, 1234, b"", b"x", 1767225600, 1767225600)):
            identity, s, x = b"grace@example.org", scalar(), scalar()
            hashed = O.hash_id(identity)
            sst = O.server_secret(s)
            token = O.extract_pin(identity, setup, O.client_secret(s, hashed))
            permit = O.client_permit(date, s, hashed) if date else None
            out = O.client_onepass(date, identity, x, login, token, permit, message, when)
            result = O.server_onepass(date, identity, sst, out["u"], out.get("ut"), out["v"], served, then)
            server = {"time": then, "message": served.hex(), "y": h(result["y"]), "status": result["status"]}
            if "e" in result:
                server.update(e=h(result["e"]), f=h(result["f"]), pin_error=O.pin_error(result["e"], result["f"]))
            cases.append({"name": "%s, day %d" % (name, date), "id": identity.hex(), "s": s.hex(),
                          "server_secret": sst.hex(), "token": token.hex(), "pin_setup": setup, "pin_login": login,
                          "date": date, "permit": h(permit), "x": x.hex(), "time": when, "message": message.hex(),
                          "y": h(out["y"]), "u": h(out["u"]), "ut": h(out.get("ut")), "v": h(out["v"]),
                          "server": server})
    write("one-pass.json", "Runs in one pass", "mpin-onepass", cases)


def direct_logins():
    """docs/device-login.md. Signatures by the textbook formulas of ECDSA over P-256, nonces from the counter."""
    lam = 0x9000000019507E29A17BBEC9059FB6E264BE500A6AD67BB6
    assert (lam * lam + lam + 1) % O.R == 0
    p = 0xFFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF
    n = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
    g = (0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
         0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)

    def add(a, b):
        if a is None or b is None:
            return a or b
        if a[0] == b[0] and (a[1] + b[1]) % p == 0:
            return None
        slope = (3 * (a[0] * a[0] - 1) * pow(2 * a[1], -1, p) if a == b else (b[1] - a[1]) * pow(b[0] - a[0], -1, p)) % p
        x = (slope * slope - a[0] - b[0]) % p
        return x, (slope * (a[0] - x) - a[1]) % p

    def times(k, a):
        out = None
        while k:
            out = add(out, a) if k & 1 else out
            a, k = add(a, a), k >> 1
        return out

    def sign(key, digest, high):
        k = 1 + number(n - 1)
        r = times(k, g)[0] % n
        s = pow(k, -1, n) * (int.from_bytes(digest, "big") + r * key) % n
        s = max(s, n - s) if high else min(s, n - s)
        return O.int_be(r) + O.int_be(s)

    def fields(label, *parts):
        return b"".join(len(part).to_bytes(4, "big") + part for part in (label,) + parts)

    cases = []
    for index, (name, setup, login, purpose, argument, when, high) in enumerate((
            ("login", 1234, 1234, b"login", b"", 1767225600000, False),
            ("an s in the upper half", 1234, 1234, b"login", b"", 1767225600001, True),
            ("wrong PIN", 1234, 1243, b"login", b"", 1767225600002, False),
            ("first PIN", 0, 0, b"changePin", b"", 1, False),
            ("last PIN", 9999, 9999, b"otp", b"", 2**53 - 1, True),
            ("access number", 42, 42, b"session", b"1234565", 1767225600000, False),
            ("code of a link", 42, 42, b"session", b"0123456789abcdef0123456789abcdef", 1767225600000, False),
            ("revocation", 42, 42, b"revoke", b"7b7d", 1767225600000, False),
            ("devices", 7, 7, b"devices", b"", 1767225600000, False),
            ("a device", 7, 7, b"revokeDevice", b"3", 1767225600000, True),
            ("invitation", 7, 7, b"invite", b"900", 1767225600000, False),
            ("backup codes", 7, 7, b"makeBackupCodes", b"10", 1767225600000, False),
            ("their confirmation", 7, 7, b"confirmBackupCodes", b"2147483647", 1767225600000, False),
            ("end of all sessions", 7, 7, b"signOut", b"all", 1767225600000, True),
            ("long M-Pin ID", 7, 7, b"login", b"", 1767225600000, False))):
        user = b"heidi@example.org"
        identity = user if index < 14 else b"i" * 512
        key, server_key = 1 + number(n - 1), 1 + number(n - 1)
        public, server_public = (b"\x04" + b"".join(O.int_be(c) for c in times(k, g)) for k in (key, server_key))
        key_hash = hashlib.sha256(server_public).digest()
        # The name of a server from before it had a key.
        server_id = draw(16) if index == 13 else key_hash
        s, x = scalar(), scalar()
        hashed = O.hash_id(identity)
        sst = O.server_secret(s)
        token = O.extract_pin(identity, setup, O.client_secret(s, hashed))
        out = O.client_1(0, identity, x, login, token)
        u = out["u"]
        said = fields(b"mpin direct login 1", server_id, identity, when.to_bytes(8, "big"), u, purpose, argument)
        digest = hashlib.sha256(said).digest()
        a, b = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
        y = (a + b * lam) % O.R
        v = O.client_2(x, O.int_be(y), out["sec"])
        signed = hashlib.sha256(said + len(v).to_bytes(4, "big") + v).digest()
        hid = O.server_1(0, identity)["hid"]
        status = O.server_2(0, hid, None, O.int_be(y), sst, u, None, v, want_ef=False)["status"]
        assert (status == 0) == (setup == login), name
        request = b"signature" if index % 2 else b"restart"
        token_bytes, _ = draw(16), draw(16)  # The second value is unused: the later ones stay as they are.
        asked = hashlib.sha256(fields(
            b"mpin device request 1", server_id, identity, when.to_bytes(8, "big"), request, token_bytes)).digest()
        http = 200 if status == 0 else 401
        answer = b'{"userId":"heidi@example.org","wrongSinceLastLogin":0' if status == 0 else (
            b'{"status":401,"message":"Wrong PIN.","attemptsLeft":2,"version":"0.3"')

        def answered(label, subject):
            return hashlib.sha256(fields(
                label, key_hash, subject, http.to_bytes(8, "big"), hashlib.sha256(answer).digest())).digest()

        content = b'{"userId":"heidi@example.org","mobile":1}'
        word, path = (b"register", b"") if index % 2 == 0 else (b"signature", identity)
        enrolling = hashlib.sha256(fields(b"mpin enrollment request 1", word, path, content)).digest()
        challenge = draw()
        signature = sign(key, signed, high)
        asking = hashlib.sha256(fields(b"mpin signed request 1", signed, signature)).digest()
        proofs = {kind: answered(label, subject) for kind, label, subject in (
            ("answer", b"mpin server answer 1", asking), ("enrollment", b"mpin server enrollment 1", enrolling),
            ("hello", b"mpin server hello 1", challenge))}
        alphabet = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ"
        code = bytes(alphabet[byte & 31] for byte in draw(16))
        code_key = hmac.digest(code, fields(b"mpin code key 1"), "sha256")
        code_proofs = {side: hmac.digest(code_key, fields(
            b"mpin code %b 1" % side.encode(), user, public, key_hash), "sha256") for side in ("client", "server")}
        asked_signature = sign(key, asked, high)
        number(n - 1)  # Unused, for the same reason.
        cases.append({
            "name": name, "server_id": server_id.hex(), "id": identity.hex(), "server_secret": sst.hex(),
            "token": token.hex(), "pin_login": login, "x": x.hex(), "u": u.hex(), "time": when,
            "purpose": purpose.decode(), "argument": argument.decode(), "y": O.int_be(y).hex(), "v": v.hex(),
            "private_key": O.int_be(key).hex(), "public_key": public.hex(), "digest": signed.hex(),
            "signature": signature.hex(), "status": status,
            "request": request.decode(), "reg_ott": token_bytes.hex(), "request_digest": asked.hex(),
            "request_signature": asked_signature.hex(),
            "server_private_key": O.int_be(server_key).hex(), "server_key": server_public.hex(),
            "key_hash": key_hash.hex(), "http_status": http, "answer": answer.decode(),
            "enrollment_request": word.decode(), "enrollment_id": path.hex(), "enrollment_content": content.decode(),
            "enrollment_request_digest": enrolling.hex(), "challenge": challenge.hex(),
            **{f"{kind}_digest": digest.hex() for kind, digest in proofs.items()},
            **{f"{kind}_signature": sign(server_key, digest, high).hex() for kind, digest in proofs.items()},
            "user": user.decode(), "code": code.decode(),
            "code_name": hmac.digest(code, fields(b"mpin code name 1"), "sha256")[:16].hex(),
            **{f"code_{side}_proof": proof.hex() for side, proof in code_proofs.items()}})
    write("direct-login.json", "Direct logins, and what else a device signs", "direct-login", cases)


for make in (fields, curve, hashing, pins, access_numbers, malformed, pin_errors, runs, one_pass, direct_logins):
    make()
