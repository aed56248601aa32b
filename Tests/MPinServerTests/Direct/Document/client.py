# SPDX-License-Identifier: Apache-2.0
"""A client written from docs/device-login.md alone, with Python's integers and standard library.

Usage: client.py SOCKET RECORD register USER CODE PIN    (CODE is - for none)
       client.py SOCKET RECORD restart CODE
       client.py SOCKET RECORD confirm PIN
       client.py SOCKET RECORD PURPOSE PIN [ARGUMENT]
       client.py SOCKET RECORD try REQUEST [WORD...]

RECORD is the client's file. Prints {"status": HTTP STATUS, "body": the answer, "proven": whether the server has signed
it}. `register` continues with `confirm` when the server has verified the user. `try` sends a request that the document
describes and no client needs.
"""

import datetime
import hashlib
import hmac
import http.client
import json
import os
import secrets
import socket
import sys
import time

# BN254CX
P = 0x2400000008702A0DB0BDDF647A6366D3243FD6EE18093EE1BE6623EF5C1B55B3
R = 0x2400000008702A0DB0BDDF647A6366D2C43FD6EE0CC906CEBE11C0A636EB1F6D
LAMBDA = 0x9000000019507E29A17BBEC9059FB6E264BE500A6AD67BB6


class Curve:
    """y^2 = x^3 + a x + b over the integers modulo p. None is the point at infinity."""

    def __init__(self, p, a, b):
        self.p, self.a, self.b = p, a, b

    def contains(self, point):
        x, y = point
        return max(x, y) < self.p and (y * y - x**3 - self.a * x - self.b) % self.p == 0

    def negative(self, point):
        return point and (point[0], -point[1] % self.p)

    def add(self, left, right):
        if left is None or right is None:
            return left or right
        (x1, y1), (x2, y2) = left, right
        if x1 == x2 and (y1 + y2) % self.p == 0:
            return None
        if left == right:
            slope = (3 * x1 * x1 + self.a) * pow(2 * y1, -1, self.p)
        else:
            slope = (y2 - y1) * pow(x2 - x1, -1, self.p)
        x = (slope * slope - x1 - x2) % self.p
        return x, (slope * (x1 - x) - y1) % self.p

    def multiply(self, number, point):
        total = None
        while number:
            if number & 1:
                total = self.add(total, point)
            point, number = self.add(point, point), number >> 1
        return total

    def encode(self, point):
        return b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")

    def decode(self, text):
        data = bytes.fromhex(text)
        point = int.from_bytes(data[1:33], "big"), int.from_bytes(data[33:], "big")
        if len(data) != 65 or data[0] != 4 or not self.contains(point):
            raise ValueError("not a point")
        return point


G1 = Curve(P, 0, 2)
P256 = Curve(
    2**256 - 2**224 + 2**192 + 2**96 - 1, -3, 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B)
ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
GENERATOR = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5)


def hash_to_g1(mpin_id):
    x = int.from_bytes(hashlib.sha256(mpin_id).digest(), "big") % P
    while pow(x**3 + 2, (P - 1) // 2, P) != 1:
        x = (x + 1) % P
    y = pow(x**3 + 2, (P + 1) // 4, P)
    return x, y if y % 2 == 0 else P - y


def fields(*values):
    return b"".join(len(value).to_bytes(4, "big") + value for value in values)


def sign(key, message):
    key = int(key, 16)
    number = int.from_bytes(hashlib.sha256(message).digest(), "big")
    nonce = 1 + secrets.randbelow(ORDER - 1)
    r = P256.multiply(nonce, GENERATOR)[0] % ORDER
    s = pow(nonce, -1, ORDER) * (number + r * key) % ORDER
    return (r.to_bytes(32, "big") + s.to_bytes(32, "big")).hex()


def verifies(public, message, signature):
    point = P256.decode(public)
    r, s = int(signature[:64], 16), int(signature[64:], 16)
    if not (0 < r < ORDER and 0 < s < ORDER):
        return False
    number = int.from_bytes(hashlib.sha256(message).digest(), "big")
    inverse = pow(s, -1, ORDER)
    sum_ = P256.add(
        P256.multiply(number * inverse % ORDER, GENERATOR), P256.multiply(r * inverse % ORDER, point))
    return sum_ is not None and sum_[0] % ORDER == r


ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"


def symbols(code):
    """The symbols of an enrollment code; None for any other text."""
    text = code.upper().replace("-", "").replace(" ", "").translate(str.maketrans("ILO", "110"))
    return text.encode() if len(text) == 16 and all(symbol in ALPHABET for symbol in text) else None


def mac(key, message):
    return hmac.new(key, message, hashlib.sha256).digest()


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


class Refused(Exception):
    def __init__(self, status, body, proven):
        super().__init__(status)
        self.status, self.body, self.proven = status, body, proven


class Client:
    def __init__(self, server, record):
        self.server, self.file = server, record
        self.record = json.load(open(record, encoding="utf-8")) if os.path.exists(record) else {}
        self.settings = self.request("GET", "/rps/clientSettings")
        missing = {"deviceKey", "direct", "proof"} - set(self.settings["extensions"])
        if missing:
            raise SystemExit(f"the server offers no {missing}")

    def keep(self, **values):
        self.record.update(values)
        with open(os.open(self.file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            json.dump(self.record, file)

    def request(self, method, target, body=None, label=None, digest=b""):
        """Makes a request. With a label, a successful answer must be proven, and a refusal says whether it is."""
        connection = Connection(self.server)
        content = body if isinstance(body, bytes) else body and json.dumps(body, ensure_ascii=False).encode()
        connection.request(method, target, content)
        answer = connection.getresponse()
        content = answer.read()
        proven = label is not None and self.proves(label, digest, answer.status, content)
        if answer.status != 200:
            raise Refused(answer.status, json.loads(content), proven)
        if label and not proven:
            raise SystemExit("the server has not signed its answer")
        return json.loads(content)

    def proves(self, label, digest, status, body):
        """Whether an answer ends in the proof of the server whose key the record has."""
        content, end = body[:-140], body[-140:].decode("latin-1")
        if not (end.startswith(',"proof":"') and end.endswith('"}')):
            return False
        key = bytes.fromhex(self.record["serverKey"])
        message = fields(
            label, hashlib.sha256(key).digest(), digest, status.to_bytes(8, "big"), hashlib.sha256(content).digest())
        return verifies(key.hex(), message, end[10:138])

    def enroll(self, method, word, target, mpin_id, content, label=b"mpin server enrollment 1"):
        """A request of a registration. Its content is the body of a PUT, or the query of a GET."""
        digest = hashlib.sha256(fields(b"mpin enrollment request 1", word, mpin_id, content)).digest()
        if method == "GET":
            return self.request(method, f"{target}?{content.decode()}", None, label, digest)
        return self.request(method, target, content, label, digest)

    def name(self):
        """What the device signs as serverId."""
        return hashlib.sha256(bytes.fromhex(self.record["serverKey"])).digest()

    def now(self, offset="clockOffset"):
        """The server's time, by the difference of a 408 or, in requests of a registration, by that of its beginning."""
        return time.time_ns() // 1_000_000 + self.record.get(offset, 0)

    def proof(self, request):
        """What shows that a request of a registration comes from its device."""
        now = self.now("beginOffset")
        message = fields(
            b"mpin device request 1", self.name(), bytes.fromhex(self.record["mpinId"]),
            now.to_bytes(8, "big"), request.encode(), bytes.fromhex(self.record["regOTT"]))
        return now, sign(self.record["key"], message)

    def code(self, code):
        """The members that show knowledge of a code, and the proof that the server must answer with."""
        known = symbols(code)
        if known is None:
            return ({} if code == "-" else {"activateCode": code}), None
        key = mac(known, fields(b"mpin code key 1"))
        parts = self.record["userId"].encode(), bytes.fromhex(self.record["publicKey"]), self.name()
        named = mac(known, fields(b"mpin code name 1"))[:16].hex()
        proof = mac(key, fields(b"mpin code client 1", *parts)).hex()
        return {"codeName": named, "codeProof": proof}, mac(key, fields(b"mpin code server 1", *parts)).hex()

    def begin(self, word, target, mpin_id, body, expected):
        answer = self.enroll("PUT", word, target, mpin_id, json.dumps(body, ensure_ascii=False).encode())
        if expected is not None and not hmac.compare_digest(answer.get("codeProof", ""), expected):
            raise SystemExit("the server does not know the code")
        named = json.loads(bytes.fromhex(answer["mpinId"]))["userID"]
        if named != self.record["userId"]:
            raise SystemExit("the M-Pin ID is another user's")
        told = datetime.datetime.fromisoformat(answer["nowTime"] + "+00:00").timestamp() * 1_000
        offset = round(told) - time.time_ns() // 1_000_000
        self.keep(
            mpinId=answer["mpinId"], regOTT=answer["regOTT"], beginOffset=offset if abs(offset) > 5_000 else 0)
        return answer

    def register(self, user, code, pin):
        key = 1 + secrets.randbelow(ORDER - 1)
        public = P256.encode(P256.multiply(key, GENERATOR)).hex()
        self.keep(userId=user, key=f"{key:064x}", publicKey=public, serverKey=self.settings["serverKey"])
        members, expected = self.code(code)
        body = {"userId": user, "mobile": 1, "deviceName": "document", "deviceKey": public} | members
        answer = self.begin(b"register", self.settings["registerURL"], b"", body, expected)
        return self.confirm(pin) if answer["active"] else answer

    def restart(self, code):
        now, signature = self.proof("restart")
        members, expected = self.code(code)
        body = {
            "userId": self.record["userId"], "mobile": 1, "deviceName": "document", "regOTT": self.record["regOTT"],
            "time": now, "deviceSignature": signature, "deviceKey": self.record["publicKey"]} | members
        target = self.settings["registerURL"] + "/" + self.record["mpinId"]
        return self.begin(b"restart", target, bytes.fromhex(self.record["mpinId"]), body, expected)

    def first_share(self):
        now, signature = self.proof("signature")
        query = f"regOTT={self.record['regOTT']}&time={now}&deviceSignature={signature}"
        target = f"{self.settings['signatureURL']}/{self.record['mpinId']}"
        return self.enroll("GET", b"signature", target, bytes.fromhex(self.record["mpinId"]), query.encode())

    def confirm(self, pin):
        first = self.first_share()
        authority = first["certivoxURL"].rstrip("/") + "/"
        second = self.request("GET", f"{authority}clientSecret?{first['params']}")
        secret = G1.add(G1.decode(first["clientSecretShare"]), G1.decode(second["clientSecret"]))
        part = G1.multiply(int(pin), hash_to_g1(bytes.fromhex(self.record["mpinId"])))
        token = G1.add(secret, G1.negative(part))
        self.keep(token=G1.encode(token).hex())
        return {}

    def proved(self, pin, purpose, argument, now=None):
        """The body of a direct login, and the digest that its device signs."""
        mpin_id = bytes.fromhex(self.record["mpinId"])
        identity = hash_to_g1(mpin_id)
        x = 1 + secrets.randbelow(R - 1)
        u = G1.encode(G1.multiply(x, identity))
        now = now or self.now()
        said = fields(
            b"mpin direct login 1", self.name(), mpin_id, now.to_bytes(8, "big"), u, purpose.encode(),
            argument.encode())
        digest = hashlib.sha256(said).digest()
        a, b = int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:16], "big")
        y = (a + b * LAMBDA) % R
        secret = G1.add(G1.decode(self.record["token"]), G1.multiply(int(pin), identity))
        v = G1.encode(G1.multiply(-(x + y) % R, secret))
        body = {
            "mpin_id": self.record["mpinId"], "U": u.hex(), "V": v.hex(), "time": now, "purpose": purpose,
            "signature": sign(self.record["key"], said + fields(v))}
        if argument:
            body["argument"] = argument
        return body, hashlib.sha256(said + fields(v)).digest()

    def send(self, proved):
        """Sends a direct login."""
        body, digest = proved
        subject = hashlib.sha256(fields(b"mpin signed request 1", digest, bytes.fromhex(body["signature"]))).digest()
        return self.request("POST", self.settings["directURL"], body, b"mpin server answer 1", subject)

    def login(self, purpose, pin, argument=""):
        for last in (False, True):
            try:
                answer = self.send(self.proved(pin, purpose, argument))
            except Refused as refusal:
                if refusal.status != 408 or last or not refusal.proven:
                    raise
                self.keep(clockOffset=refusal.body["nowTime"] - time.time_ns() // 1_000_000)
                continue
            if answer["userId"] != self.record["userId"]:
                raise SystemExit("the answer is another user's")
            return answer

    def attempt(self, what, *words):
        direct = self.settings["directURL"]
        if what == "keyNull":
            user, code = words
            return self.request(
                "PUT", self.settings["registerURL"],
                {"userId": user, "mobile": 1, "activateCode": code, "deviceKey": None})
        if what == "firstShare":
            return self.first_share()
        if what == "clear":
            user, code = words
            key = P256.encode(P256.multiply(1 + secrets.randbelow(ORDER - 1), GENERATOR)).hex()
            return self.request(
                "PUT", self.settings["registerURL"],
                {"userId": user, "mobile": 1, "activateCode": code, "deviceKey": key})
        if what == "hello":
            challenge = secrets.token_bytes(32)
            return self.request(
                "POST", self.settings["helloURL"], {"challenge": challenge.hex()}, b"mpin server hello 1", challenge)
        if what == "secondShare":
            return self.request("GET", f"{self.settings['certivoxURL'].rstrip('/')}/clientSecret?{words[0]}")
        if what == "size":
            return self.request("POST", direct, b" " * int(words[0]))
        if what == "get":
            return self.request("GET", direct)
        if what == "loginAt":
            pin, now = words
            return self.send(self.proved(pin, "login", "", int(now)))
        if what == "argumentNull":
            body, digest = self.proved(words[0], "login", "")
            return self.send((body | {"argument": None}, digest))
        if what == "logins":
            # A login with each PIN, then the first of these requests again.
            bodies = [self.proved(pin, "login", "") for pin in words]
            statuses = []
            for body in bodies + bodies[:1]:
                try:
                    statuses.append(self.send(body) and 200)
                except Refused as refusal:
                    statuses.append(refusal.status if refusal.proven else -refusal.status)
            return {"statuses": statuses}
        raise SystemExit(f"no such request: {what}")


def main(server, record, command, *words):
    client = Client(server, record)
    try:
        if command in ("register", "restart", "confirm"):
            answer = getattr(client, command)(*words)
        elif command == "try":
            answer = client.attempt(*words)
        else:
            answer = client.login(command, *words)
        print(json.dumps({"status": 200, "body": answer, "proven": True}))
    except Refused as refusal:
        print(json.dumps({"status": refusal.status, "body": refusal.body, "proven": refusal.proven}))


if __name__ == "__main__":
    main(*sys.argv[1:])
