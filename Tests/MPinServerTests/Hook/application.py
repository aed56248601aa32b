# SPDX-License-Identifier: Apache-2.0
"""A relying party's application, as far as it verifies who registers: what `verify = hook` asks.

Usage: application.py PORT LOG SOCKET. Each question is appended to LOG as one line of JSON. What it answers is in the
question's userData: activate, hold, refuse, redirect, fail, nonsense, slow; `later` holds, and activates a second after
that at the login server behind SOCKET, by the key of the question.
"""

import http.client
import http.server
import json
import socket
import sys
import threading
import time

port, log, server_socket = int(sys.argv[1]), sys.argv[2], sys.argv[3]


class LoginServer(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(server_socket)


def activate(question):
    time.sleep(1)
    connection = LoginServer("localhost")
    connection.request("POST", "/user/" + question["mpinId"], json.dumps({"activateKey": question["activateKey"]}))
    with open(log, "a", encoding="utf-8") as file:
        file.write(json.dumps({"activated": connection.getresponse().status}) + "\n")


class Application(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        question = json.loads(body)
        with open(log, "a", encoding="utf-8") as file:
            file.write(json.dumps(dict(question, path=self.path, type=self.headers["Content-Type"])) + "\n")
        wish = question["userData"]
        if wish == "slow":
            time.sleep(30)
        if wish == "later":
            threading.Thread(target=activate, args=[question]).start()
        self.send_response({"refuse": 403, "redirect": 307, "fail": 500}.get(wish, 200))
        if wish == "redirect":
            self.send_header("Location", f"http://127.0.0.1:{port}/elsewhere")
        self.end_headers()
        if wish == "activate":
            self.wfile.write(b'{"forceActivate": true}')
        if wish == "nonsense":
            self.wfile.write(b"<html>")

    def log_message(self, *arguments):
        pass


http.server.ThreadingHTTPServer(("127.0.0.1", port), Application).serve_forever()
