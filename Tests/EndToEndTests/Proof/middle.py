# SPDX-License-Identifier: Apache-2.0
"""A man in the middle with a certificate that the client trusts.

Usage: middle.py CERTIFICATE KEY SOCKET PLAN LOG

Listens with TLS on a free port of 127.0.0.1, prints the port, and passes requests on to the server at SOCKET. PLAN is a
JSON file that is read for every request: what to do with it. LOG receives each request and answer, one JSON object a
line. The rules of a plan:

  {"rule": "pass"}                                 nothing
  {"rule": "answer", "path": P, "status": S, "body": B}   answers requests to P itself
  {"rule": "replace", "path": P, "status": S, "body": B}  passes requests to P on, and then answers them itself
  {"rule": "replay", "path": P, "status": S}       answers requests to P with the latest real answer of that status
  {"rule": "status", "path": P, "status": S}       changes only the status of the real answer
  {"rule": "body", "path": P, "change": C}         changes the bytes of the real answer; see `changed`
  {"rule": "settings", "set": {...}, "extensions": [...], "remove": [...]}   changes the client settings
  {"rule": "damage", "path": P}                    damages the device's signature in requests to P
  {"rule": "elsewhere", "socket": S}               passes everything on to another server; with "path" and "request": {...},
                                                   it replaces these members in requests to P

A path P also means everything below it. With "containing": T, a rule is only for requests whose body contains T.
"""

import http.client
import http.server
import json
import socket
import ssl
import sys
import threading

CERTIFICATE, KEY, SOCKET, PLAN, LOG = sys.argv[1:]
lock = threading.Lock()
latest = {}


class Connection(http.client.HTTPConnection):
    def __init__(self, path):
        super().__init__("localhost")
        self.path = path

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.path)


def encoded(body):
    return json.dumps(body, separators=(",", ":")).encode() if not isinstance(body, str) else body.encode()


def changed(body, change):
    """The bytes of an answer after a change."""
    if change == "without proof":
        return body[:-140] + b"}"
    if change == "encoded again":
        return json.dumps(json.loads(body)).encode()
    if change == "a space at the end":
        return body + b" "
    if change == "cut":
        return body[:-1]
    if change == "the tail alone":
        return b'{"a":1' + body[-140:]
    if change == "a member more":
        return body[:-140] + b',"wrongSinceLastLogin2":0' + body[-140:]
    if change.startswith("flip "):
        # A hexadecimal digit becomes another one, so that only the proof can tell.
        index, digits = int(change.split()[1]) % len(body), b"0123456789abcdef"
        found = digits.find(body[index])
        flipped = digits[found ^ 1] if found >= 0 else body[index] ^ 1
        return body[:index] + bytes([flipped]) + body[index + 1:]
    raise ValueError(change)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def forward(self, where, content):
        connection = Connection(where)
        connection.request(self.command, self.path, content or None)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def settings(self, plan, body):
        settings = json.loads(body)
        settings.update(plan.get("set", {}))
        if "extensions" in plan:
            settings["extensions"] = plan["extensions"]
        for name in plan.get("remove", []):
            settings.pop(name, None)
        return encoded(settings)

    def respond(self):
        content = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        with open(PLAN, encoding="utf-8") as file:
            plan = json.load(file)
        rule, path = plan["rule"], self.path.split("?")[0]
        isMeant = (path + "/").startswith(plan.get("path", "?") + "/") and plan.get("containing", "").encode() in content
        if rule == "answer" and isMeant:
            status, body = plan["status"], encoded(plan["body"])
        elif rule == "replay" and isMeant:
            status, body = plan["status"], latest.get((path, plan["status"]), b"{}")
        else:
            if rule == "damage" and isMeant:
                damaged = json.loads(content)
                damaged["signature"] = "00" + damaged["signature"][2:]
                content = encoded(damaged)
            if "request" in plan and isMeant:
                content = encoded(json.loads(content) | plan["request"])
            status, body = self.forward(plan["socket"] if rule == "elsewhere" else SOCKET, content)
            with lock:
                latest[path, status] = body
            if rule == "replace" and isMeant:
                status, body = plan["status"], encoded(plan["body"])
            elif rule == "status" and isMeant:
                status = plan["status"]
            elif rule == "body" and isMeant:
                body = changed(body, plan["change"])
            elif rule == "settings" and path == "/rps/clientSettings":
                body = self.settings(plan, body)
        with lock, open(LOG, "a", encoding="utf-8") as file:
            file.write(json.dumps({
                "method": self.command, "target": self.path, "request": content.decode("latin-1"), "status": status,
                "answer": body.decode("latin-1")}) + "\n")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = respond


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(CERTIFICATE, KEY)
server.socket = context.wrap_socket(server.socket, server_side=True)
print(server.server_port, flush=True)
server.serve_forever()
