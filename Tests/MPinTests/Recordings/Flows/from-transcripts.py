#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes the recordings in this directory from transcripts of the system of 2016.

Usage: from-transcripts.py DIRECTORY, where DIRECTORY holds NN-name.json and client-calls.json. README says what the
files mean. What this client does in another way is named here, with the reason, and nowhere else.
"""

import hashlib
import json
import pathlib
import sys

source = pathlib.Path(sys.argv[1])
target = pathlib.Path(__file__).parent
calls_of = json.loads((source / "client-calls.json").read_text())

# The registration and the logins that come before a flow.
ALICE = ["01-registration-email/alice", "02-authentication-ok/alice"]
KATE = ["10-registration-force-activate/kate", "11-otp-ok/kate"]
GIVEN = {
    "02": {"alice": ALICE[:1]},
    "07": {"grace2": ["06-wrong-pin-blocked/grace until finishRegistration"]},
    "11": {"kate": KATE[:1]}, "12": {"kate": KATE}, "18": {"kate": KATE}, "24": {"kate": KATE}, "25": {"kate": KATE},
    "17": {"alice": ALICE + ["16-access-number-wrong-pin/alice"]},
    "28": {"hugo": ["28-registration/hugo"]},
}
for number in ["03", "08", "13", "14", "15", "16", "19", "23", "23b", "27"]:
    GIVEN[number] = {"alice": ALICE}
GIVEN["25"]["wade"] = ["24-customer-dta-down/wade"]

FORBIDDEN = "an application that refuses says 403, and 401 in the older scripts: all of them mean revoked"
ONE_SHOT = "the share of the first authority is kept, since it can be had only once"
RETRY = "settings from before the call may hold no more: they are read again, and it is tried once more"
STORE = "the permit store answers in plain text, which the reference could not read"
DAY = "the second share carries no date: after a wrong PIN it is asked for again, in case it was of another day"
STRIPPED = "the one-time password is for another door and stays out of the login"
# (flow, number of the call from 0): what happens here, and why.
OUTCOMES = {
    ("12", 1): ("INCORRECT_PIN REGISTERED", "a failed login hands out no one-time password"),
    ("13", 1): ("OK REGISTERED otp= otpStatus=FLOW_ERROR ttl=0 expire=0 now=0",
                "the documents of the SDK call it FLOW_ERROR"),
    ("19", 1): ("REVOKED REGISTERED", FORBIDDEN),
    ("19", 2): ("REVOKED REGISTERED", FORBIDDEN),
    ("20", 5): ("OK REGISTERED app=Scratch%20Demo%20C icon=http://127.0.0.1/icon.png preroll=",
                "both spellings of the members are read"),
    ("22", 1): ("NETWORK_ERROR -", "a server is chosen by asking it, each time"),
    ("23", 12): ("OK STARTED_REGISTRATION", ONE_SHOT),
}
# What the files hold after a flow, where that is something else.
FILES = {
    "06": ("OK BLOCKED token=yes permit=20777 device=device-grace",
           "anybody can provoke a block, so it destroys nothing; it is the state that refuses"),
}
ALLOWED = {"requestOTP", "mpinAuthServerURL", "timePermitsURL", "accessNumberDigits", "accessNumberURL",
           "timePermitsStorageURL", "authenticateURL", "certivoxURL", "accessNumberUseCheckSum", "registerURL",
           "appID", "cSum", "signatureURL", "getAccessNumberURL", "mobileAuthenticateURL", "codeStatusURL",
           "getQrUrl", "setDeviceName", "useNFC"}


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=True)


def words(text):
    """The call of the transcript as a call of this client, with its arguments."""
    name, _, rest = text.partition(" ")
    identity, _, device = rest.partition(" ")
    return {
        "init": ["init"] + (["backend"] if rest else []), "backend": ["setBackend"],
        "user": ["makeUser", identity] + ([device] if device else []), "load": ["find", identity],
        "startreg": ["startRegistration"], "restart": ["restartRegistration"], "confirm": ["confirmRegistration"],
        "finishreg": ["finishRegistration", rest], "startauth": ["startAuthentication"] + rest.split(),
        "auth": ["finishAuthentication", rest], "otp": ["finishAuthenticationOTP", rest],
        "an": ["finishAuthenticationAN"] + rest.split(), "checkan": ["checkAccessNumber", rest],
        "logout": ["logout"], "session": ["getSessionDetails", rest], "service": ["getServiceDetails"],
        "testbackend": ["testBackend"] + (["nothing/rps"] if rest.endswith("/nothing") else []),
        "param": ["getClientParam", rest],
    }[name]


def takes(spoken, exchange, own):
    """Whether a request can belong to a call that has made those already."""
    name, taken, asked = spoken[0], len(own), own[-1]["path"] if own else ""
    method, path = exchange["method"], exchange["path"].split("?")[0]
    last = path.split("/")
    return {
        "init": path.endswith("clientSettings") and taken == 0 and spoken != ["init"],
        "setBackend": path.endswith("clientSettings") and taken == 0,
        "testBackend": path.endswith("clientSettings") and taken == 0,
        "startRegistration": method == "PUT" and path == "/rps/user" and taken == 0,
        "restartRegistration": method == "PUT" and path != "/rps/user" and taken == 0,
        "confirmRegistration": path == "/clientSecret" if taken else "signature" in last,
        "startAuthentication": "codeStatus" in last and b"user" in exchange["request_body"].encode()
        or "timePermit" in last and (taken == 0 or taken == 1 and asked == "/rps/codeStatus" or len(last) == 2)
        or "storage" in last,
        "finishAuthentication": path in ("/rps/pass1", "/rps/pass2", "/mpinAuthenticate") and taken < 3,
        "finishAuthenticationOTP": path in ("/rps/pass1", "/rps/pass2", "/mpinAuthenticate") and taken < 3,
        "finishAuthenticationAN": path in ("/rps/pass1", "/rps/pass2", "/rps/authenticate") and taken < 3,
        "logout": path == "/logout" and taken == 0,
        "getSessionDetails": path == "/rps/codeStatus" and taken == 0,
        "getServiceDetails": path == "/service" and taken == 0,
    }.get(name, False)


def outcome(result, name):
    """Status and state, and what else the call told."""
    told = [result["status"], result["user_state"]]
    names = {"otp_status": "otpStatus", "can_logout": "canLogout"}
    for key in ["value", "otp", "otp_status", "ttl", "expire", "now", "can_logout", "logout", "name", "url", "prefix",
                "logo", "app", "icon", "preroll"]:
        if key not in result or name in ("startRegistration",):
            continue
        value = result[key]
        value = str(value).lower() if isinstance(value, bool) else str(value)
        told.append(names.get(key, key) + "=" + value.replace(" ", "%20"))
    return " ".join(told)


def body_of(exchange):
    """What the request must say: each member with its value, or with the kind of value where it is random."""
    text = exchange["request_body"]
    if exchange["method"] == "GET" or not text.strip():
        return None
    body = json.loads(text)
    for name in ("U", "UT", "V"):
        if name in body:
            body[name] = "<point>"
    if "mpin_id" in body:
        body["mpin_id"] = "<mpinID>"
    return body


def answer_of(exchange):
    if exchange["status"] == 0:
        return "hangs up"
    text = exchange["response_body"] if isinstance(exchange["response_body"], str) else ""
    try:
        body = json.loads(text)
        if "registerURL" in body:
            body = {name: value for name, value in sorted(body.items()) if name in ALLOWED}
        text = compact(body)
    except ValueError:
        text = "" if text.startswith("[") else text.strip()
    return f"{exchange['status']} {text}".rstrip()


def may_come_of_old_settings(name, path, status):
    """Whether this client reads the settings again when a request fails so."""
    if status == 200 or name in ("init", "setBackend", "testBackend", "getServiceDetails", "logout"):
        return False
    if path.endswith("/pass2") or path.endswith("uthenticate") or path.startswith("/storage"):
        return False
    if name == "startAuthentication" and path.endswith("/codeStatus"):
        return False
    verdicts = {"/user": [403], "/signature/": [400, 401], "/clientSecret": [408], "/timePermit": [401, 403, 410]}
    return not any(part in path and status in refusals for part, refusals in verdicts.items())


def second_permits():
    """The second permit share of each hashed M-Pin ID, with the path that the permit store was asked for."""
    found = {}
    for file in sorted(source.glob("[0-9]*.json")):
        for x in json.loads(file.read_text()):
            path, _, query = x["path"].partition("?")
            if path == "/timePermit" and x["from"] == "client" and x["status"] == 200:
                found[query.split("hash_mpin_id=")[1].split("&")[0]] = (query, answer_of(x))
    return found


class Flow:
    def __init__(self, name):
        self.name, self.number = name, name.split("-")[0]
        exchanges = json.loads((source / f"{name}.json").read_text())
        self.requests = [x for x in exchanges if x["from"] == "client"]
        self.lines = [f"flow {name}"]
        for client, before in GIVEN.get(self.number, {}).items():
            self.lines += [f"given {client} {flow}" for flow in before]
        self.has_share = {client for client in GIVEN.get(self.number, {}) if client in ("alice", "kate", "hugo")}
        if self.number in ("02", "11"):
            self.has_share = set()
        # The first permit share of the last start of each client, and who has to ask for the second one again.
        self.first, self.dropped = {}, set()

    def write(self):
        client = None
        for number, call in enumerate(calls_of.get(self.name, [])):
            if call["call"].startswith("("):
                self.files(number, call)
                continue
            if call["client"] != client:
                client = call["client"]
                self.lines += ["", f"client {client}"]
            self.call(number, call)
        assert not self.requests, (self.name, self.requests[0]["path"])
        (target / f"{self.name}.flow").write_text("\n".join(self.lines) + "\n")

    def files(self, number, call):
        """What the old client had on disk, without the token itself."""
        result = call["result"]
        records = next(iter(result["nonsecure.json"].values()))
        mpin_id, record = next(iter(records.items()))
        permit = record["timePermitCache"]
        has_point = permit["timePermit"].startswith("04")
        theirs = "OK {} token={} permit={} device={}".format(
            record["state"], "yes" if result["secure.json"].get(mpin_id, {}).get("token") else "no",
            permit["date"] if has_point else "none", record["deviceName"].replace(" ", "%20"))
        ours, why = FILES.get(self.number, (theirs, None))
        self.lines += ["", "call files"]
        if ours == theirs:
            self.lines.append(f"  outcome {theirs}")
        else:
            self.lines += [f"  theirs {theirs}", f"  outcome {ours}", f"  differs {why}"]

    def call(self, number, call):
        arguments = words(call["call"])
        name = arguments[0]
        spoken = [compact(a) if " " in a else a for a in arguments]
        if self.number == "22" and name in ("setBackend", "init"):
            spoken = [name, "nobody"]
        self.lines += ["", "call " + " ".join(spoken)]
        theirs = outcome(call["result"], name)
        ours, why = OUTCOMES.get((self.number, number), (theirs, None))
        if ours == theirs:
            self.lines.append(f"  outcome {theirs}")
        else:
            self.lines += [f"  theirs {theirs}", f"  outcome {ours}", f"  differs {why}"]
        own = []
        while self.requests and takes(arguments, self.requests[0], own):
            # Confirming and logging in stop at the first refusal.
            own.append(self.requests.pop(0))
        self.requests_of(call, name, own, number)

    def requests_of(self, call, name, own, number):
        client = call["client"]
        stored = any("/storage/" in x["path"] and x["status"] == 200 for x in own)
        for exchange in own:
            path, _, query = exchange["path"].partition("?")
            mark = "request"
            reason = None
            if stored and path == "/timePermit":
                mark, reason = "theirs", STORE
            if (self.number, number) == ("23", 12):
                self.request("ours", "GET", "/clientSecret", None, None, "200 " + self.shares["vera"], ONE_SHOT)
                mark, reason = "theirs", ONE_SHOT
            if path == "/clientSecret" and exchange["status"] == 200:
                self.shares = getattr(self, "shares", {})
                self.shares[client] = compact(json.loads(exchange["response_body"]))
            body = body_of(exchange)
            if body and "mpinResponse" in body and "OTP" in body["mpinResponse"]:
                theirs = compact(body)
                del body["mpinResponse"]["OTP"]
                self.request(mark, exchange["method"], self.path(path), None, body, answer_of(exchange), STRIPPED, theirs)
                continue
            self.request(mark, exchange["method"], self.path(path), query, body, answer_of(exchange), reason)
            if mark == "request" and may_come_of_old_settings(name, path, exchange["status"]):
                hangs_up = exchange["status"] == 0
                self.request("ours", "GET", "/rps/clientSettings", None, None,
                             "hangs up" if hangs_up else self.settings(), RETRY)
                if not hangs_up and exchange["method"] != "PUT" and "/signature/" not in path:
                    self.request("ours", exchange["method"], self.path(path), query, body, answer_of(exchange), RETRY)
        if own and name == "startAuthentication" and call["result"]["status"] == "OK":
            self.has_share.add(client)
            self.first[client] = next(x for x in own if "/rps/timePermit/" in x["path"])
            if client in self.dropped:
                self.dropped.remove(client)
                self.second_share(client)
        if own and own[-1]["path"].endswith("uthenticate") and own[-1]["status"] == 401:
            first = self.first[client]
            self.request("ours", "GET", self.path(first["path"]), None, None, answer_of(first), DAY)
            self.second_share(client, asks_store=False)
            self.dropped.add(client)

    def second_share(self, client, asks_store=True):
        """The requests of this client for a second permit share that the old one still had."""
        date = json.loads(self.first[client]["response_body"])["date"]
        query, share = SECOND_PERMITS[self.hash]
        if asks_store:
            store = f"/storage/de033c7143c9737bc15fc2574cfc06b0/{date}/<hash>"
            self.request("ours", "GET", store, None, None, "404 not found", DAY)
        self.request("ours", "GET", "/timePermit", query, None, share, DAY)

    def request(self, mark, method, path, query, body, answer, reason, theirs=None):
        self.lines.append(f"  {mark} {method} {path}")
        if query:
            self.lines.append(f"    query {self.named(query)}")
        if theirs:
            self.lines.append(f"    theirs {theirs}")
        if body is not None:
            self.lines.append(f"    body {compact(body)}")
        self.lines.append(f"    answer {answer}")
        if reason:
            self.lines.append(f"    differs {reason}")
        if "/clientSettings" in path and answer.startswith("200"):
            self.last_settings = answer

    def settings(self):
        if hasattr(self, "last_settings"):
            return self.last_settings
        init = "01-registration-email" if "alice" in GIVEN.get(self.number, {}) else "10-registration-force-activate"
        return answer_of(json.loads((source / f"{init}.json").read_text())[0])

    def path(self, path):
        parts = path.split("/")
        for index, part in enumerate(parts):
            if len(part) > 100 and part.startswith("7b"):
                parts[index] = "<mpinID>"
                self.hash = hashlib.sha256(bytes.fromhex(part)).hexdigest()
        return self.named("/".join(parts))

    def named(self, text):
        return text.replace(getattr(self, "hash", "-"), "<hash>")


def lockout_registration():
    """A registration for the flow that has none on record; the shares are another user's, since no test checks them."""
    login = json.loads((source / "28-lockout-by-third-party.json").read_text())
    mpin_id = next(x["path"] for x in login if "/timePermit/" in x["path"]).split("/")[-1]
    permit = answer_of(next(x for x in login if "/rps/timePermit/" in x["path"] and x["from"] == "client"))
    text = (target / "01-registration-email.flow").read_text().splitlines()
    answers = [line.strip().removeprefix("answer ") for line in text if line.startswith("    answer 200")]
    second = [line.strip() for line in (target / "02-authentication-ok.flow").read_text().splitlines()]
    share = next(line for line in second if line.startswith("answer 200") and '"timePermit"' in line and "date" not in line)
    issued = compact({"active": True, "mpinId": mpin_id, "regOTT": "0" * 31 + "1"})
    lines = ["flow 28-registration", "", "client hugo", "", "call init backend", "  outcome OK -",
             "  request GET /rps/clientSettings", "    answer " + answers[0],
             "", "call makeUser hugo@example.invalid", "  outcome OK INVALID",
             "", "call startRegistration", "  outcome OK ACTIVATED", "  request PUT /rps/user",
             "    answer 200 " + issued,
             "", "call confirmRegistration", "  outcome OK ACTIVATED", "  request GET /rps/signature/<mpinID>",
             "    answer " + answers[2], "  request GET /clientSecret", "    answer " + answers[3],
             "", "call finishRegistration 1234", "  outcome OK REGISTERED",
             "", "call startAuthentication", "  outcome OK REGISTERED", "  request GET /rps/timePermit/<mpinID>",
             "    answer " + permit,
             "  request GET /storage/de033c7143c9737bc15fc2574cfc06b0/20777/<hash>", "    answer 404",
             "  request GET /timePermit", "    " + share]
    (target / "28-registration.flow").write_text("\n".join(lines) + "\n")


SECOND_PERMITS = second_permits()

# Where a refusal on record comes from, the call of ours that may meet it, and what that call must end in.
REFUSALS = {
    ("PUT", "/rps/user"): ("startRegistration", {400: "HTTP_REQUEST_ERROR"}),
    ("PUT", "/rps/user/"): ("restartRegistration", {400: "HTTP_REQUEST_ERROR"}),
    ("GET", "/rps/signature/"): ("confirmRegistration", {400: "IDENTITY_NOT_VERIFIED", 404: "HTTP_REQUEST_ERROR",
                                                         500: "HTTP_SERVER_ERROR"}),
    ("GET", "/rps/timePermit/"): ("startAuthentication", {500: "HTTP_SERVER_ERROR"}),
    ("POST", "/rps/pass1"): ("finishAuthentication", {403: "HTTP_REQUEST_ERROR"}),
    ("POST", "/rps/pass2"): ("finishAuthentication", {403: "HTTP_REQUEST_ERROR", 500: "HTTP_SERVER_ERROR"}),
    ("POST", "/mpinAuthenticate"): ("finishAuthentication", {400: "HTTP_REQUEST_ERROR", 408: "REQUEST_EXPIRED"}),
    ("POST", "/rps/authenticate"): ("finishAuthenticationAN", {400: "HTTP_REQUEST_ERROR",
                                                               412: "INCORRECT_ACCESS_NUMBER"}),
    ("POST", "/rps/codeStatus"): ("getSessionDetails", {200: "OK"}),
}


def refusals():
    """The refusals that a hand-made client provoked, as answers to ours."""
    lines = ["# What the servers of 2016 answered to malformed requests: CALL PATH STATUS EXPECTED BODY, where EXPECTED",
             "# is what our call must end in when a well-formed request is answered so."]
    for exchange in json.loads((source / "26-raw-error-cases.json").read_text()):
        path = exchange["path"].split("?")[0]
        parent = path[:path.rindex("/") + 1]
        call, expected = REFUSALS.get((exchange["method"], path)) or REFUSALS.get((exchange["method"], parent), (0, {}))
        if exchange["from"] != "client" or exchange["status"] not in expected:
            continue
        answer = answer_of(exchange).split(" ", 1)
        line = " ".join([call, path if (exchange["method"], path) in REFUSALS else parent, answer[0],
                         expected[exchange["status"]]] + answer[1:])
        if line not in lines:
            lines.append(line)
    (target / "26-raw-error-cases.replies").write_text("\n".join(lines) + "\n")


for file in sorted(source.glob("[0-9]*.json")):
    if calls_of.get(file.stem):
        Flow(file.stem).write()
lockout_registration()
refusals()
