# SPDX-License-Identifier: Apache-2.0
"""Looks for branches and addresses that depend on secrets in the programs that people install, by valgrind's memcheck.

Usage: examine.py PRODUCTS PAM-PROBE MODULE

PRODUCTS has mpin-server and mpin-enroll. They and the module run as they are built; secrets.c, which is
preloaded, marks PINs, tokens, device secrets and the server's sealing key when they are read from their files. What the
programs may decide on is in verdicts.table. Prints a line for each program; exit status 0 if nothing else was reported.
"""

import collections
import itertools
import json
import os
import pwd
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
CLIENT = os.path.join(HERE, "../../MPinServerTests/Direct/Document/client.py")
RIGHT, WRONG = "4962", "4963"
# A frame in a stack trace: the function, and the file or the object that has it.
FRAME = re.compile(r"==\d+== +(?:at|by) 0x[0-9A-F]+: (.*?)(?: \((?:in )?([^()]*)\)|())$")
# Functions of this package: Swift's by their module, C's by their prefix.
OURS = re.compile(r"\$[se]\d+(MPin\w*?|Pairing|pam_mpin)\d|mpin_")


def fail(text):
    sys.exit(f"constant-time: {text}")


def run(*command, status=0, **options):
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if done.returncode != status:
        fail(f"exit status {done.returncode} of {command}: {done.stdout}{done.stderr}")
    return done.stdout


class Work:
    """A directory with a server, an enrolled account, and copies that valgrind can read."""

    def __init__(self, directory, products, probe):
        self.directory, self.products = directory, products
        self.socket = self.path("mpin.sock")
        run("cc", "-O1", "-shared", "-fPIC", "-o", self.path("secrets.so"), os.path.join(HERE, "secrets.c"))
        self.copy(probe, "pam-probe")
        self.server("init")

    def path(self, *names):
        return os.path.join(self.directory, *names)

    def copy(self, source, name):
        """Without the debug information, which valgrind cannot read. The symbols stay, so that reports have names."""
        run("strip", "--strip-debug", "-o", self.path(name), source)
        return self.path(name)

    def write(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), mode=0o700, exist_ok=True)
        with open(os.open(self.path(name), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)

    def server(self, *words):
        return run(os.path.join(self.products, "mpin-server"), *words, "--dir", self.path("server"))

    def invite(self, user):
        return json.loads(self.server("invite", user, "--json"))["code"]

    def memcheck(self, log):
        return [
            "valgrind", "-s", "--expensive-definedness-checks=yes", "--error-limit=no", "--num-callers=40",
            f"--log-file={self.path(log)}"]

    def environment(self, **secrets):
        return dict(os.environ, LD_PRELOAD=self.path("secrets.so"), **secrets)


class Server:
    """`mpin-server serve`, for the time of a `with`."""

    def __init__(self, work, *launcher, environment=None):
        self.work, self.launcher, self.environment = work, launcher, environment

    def __enter__(self):
        self.log = open(self.work.path("server.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen(
            [*self.launcher, "serve", "--dir", self.work.path("server"), "--listen", "unix:" + self.work.socket],
            stdout=subprocess.PIPE, stderr=self.log, text=True, env=self.environment)
        if "ready" not in self.process.stdout.readline():
            self.log.seek(0)
            fail("the server did not start: " + self.log.read())
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


def verdicts(program):
    """The rows of the table for a program, by function and library."""
    rows = {}
    with open(os.path.join(HERE, "verdicts.table"), encoding="utf-8") as table:
        for line in table:
            if not line.startswith("#") and line.strip():
                programs, function, library, times, _ = (cell.strip() for cell in line.split("|"))
                if program in programs.split():
                    rows[function, library] = times
    return rows


def library_of(frames):
    """The library that our function called: that of the innermost of these frames that is not in libc.

    Whether SQLite itself or memcmp for it branches depends on which random bytes it compares first, so libc counts only
    where our function calls it. Swift's runtime and the packages may be linked into the program.
    """
    for _, place in frames:
        for name in ("libcrypto", "libcurl", "libsqlite3"):
            if name in place:
                return name
        # Where its debug information is installed, libc's functions have files; memcheck has some of its own.
        if not re.search(r"\.c:\d+$|libc\.so|vgpreload", place):
            return "Swift"
    return "libc"


# All statements pass through these, so what matters is who runs them.
ANY_STATEMENT = re.compile(r"\$s17MPinServerStorage(16SQLiteConnection|10ConnectionP)")


def reports(log):
    """What memcheck reported, as function, library, times, and its text."""
    with open(log, encoding="utf-8", errors="replace") as file:
        text = file.read()
    parts = re.split(r"(?m)^==\d+== (\d+) errors in context .*\n", text)
    if "ERROR SUMMARY" not in text:
        fail("memcheck did not come to its end:\n" + text[-2000:])
    for times, report in zip(parts[1::2], parts[2::2]):
        frames = [(match[1], match[2] or "") for match in map(FRAME.match, report.split("\n")) if match]
        ours = [name for name, _ in frames if OURS.match(name) and not ANY_STATEMENT.match(name)]
        innermost = next((name, place) for name, place in frames if not name.startswith("OUTLINED_FUNCTION"))
        # Without secrets too, the runtime reads uninitialized bytes when it makes types, and so do packages in places.
        if not ours or re.match(r"swift_(cvw_)?init\w*Metadata", innermost[0]):
            continue
        called = itertools.takewhile(lambda frame: frame[0] != ours[0], frames)
        library = "-" if innermost[0] == ours[0] else library_of(called)
        # No verdict of ours is an address.
        if library == "-" and "Use of uninitialized value" in report:
            library = "an address"
        yield ours[0], library, int(times), report


def simple(names):
    """Functions' names without their arguments."""
    text = run("swift", "demangle", "--compact", "--simplified", input="\n".join(names))
    plain = {}
    for name, demangled in zip(names, text.split("\n")):
        demangled = re.sub(r"^.* in (?=\S+$|\S+\()|\b(specialized|static|merged|outlined|partial apply for) ", "", demangled)
        plain[name] = re.sub(r"[(<].*", "", demangled.split(" ")[0])
    return plain


def excerpt(report):
    return "\n".join(report.split("\n")[:12])


def judge(what, program, log):
    """Compares the reports with the table; says how many are not as they should be."""
    found = list(reports(log))
    plain = simple(sorted({name for name, *_ in found}))
    times, examples = collections.Counter(), {}
    for name, library, count, report in found:
        key = plain[name], library
        times[key] += count
        examples.setdefault(key, report)
    rows, wrong = verdicts(program), 0
    for key, count in sorted(times.items()):
        most = rows.get(key)
        if most is None or most != "any" and count > int(most):
            wrong += 1
            print(f"{what}: {key[0]} in {key[1]}: {count} times, not {most or 0}:\n{excerpt(examples[key])}")
    for key in sorted(rows.keys() - times.keys()):
        wrong += 1
        print(f"{what}: {key[0]} in {key[1]} was not seen")
    print(f"{what}: {sum(times.values())} decisions in {len(times)} places, {wrong} not as they should be")
    return wrong


def examine_module(work, module, name, program):
    account = pwd.getpwuid(os.getuid()).pw_name
    services, log = work.path(program + ".d"), work.path(program + ".log")
    arguments = f"method=pin conf={work.path('mpin.conf')} store={work.path('store')} server=unix:{work.socket} timeout=120"
    copy = work.copy(module, program + ".so")
    os.chmod(copy, 0o644)
    work.write(f"{program}.d/login", f"auth required {copy} {arguments}\naccount required pam_permit.so\n")
    output = run(
        *work.memcheck(program + ".log"), work.path("pam-probe"), "try", services, "login", account,
        work.path("pins/right"), work.path("pins/wrong"), status=1, env=work.environment(SECRET_PINS=work.path("pins/")))
    if output.split() != ["PAM_SUCCESS", "PAM_AUTH_ERR"]:
        fail(f"a right PIN and a wrong one ended in {output.split()}")
    return judge(name, program, log)


def enroll(work):
    os.mkdir(work.path("store"), 0o700)
    work.write("mpin.conf", "")
    work.write("pins/right", RIGHT)
    work.write("pins/wrong", WRONG)
    run(
        os.path.join(work.products, "mpin-enroll"), "register", "--store", work.path("store"), "--server",
        "unix:" + work.socket, "--user", pwd.getpwuid(os.getuid()).pw_name, "--identity", "alice", "--config",
        work.path("mpin.conf"), "--code", work.invite("alice"), "--pin-file", work.path("pins/right"), "--no-input",
        "--timeout", "120")


def examine_server(work):
    program = work.copy(os.path.join(work.products, "mpin-server"), "mpin-server")
    launcher = [*work.memcheck("server.log.memcheck"), program]
    environment = work.environment(SECRET_BYTES=work.path("server", "state/seal.key"))
    with Server(work, *launcher, environment=environment):
        client = [sys.executable, "-I", CLIENT, work.socket, work.path("client")]
        for words, status in [
            (("register", "bob", work.invite("bob"), RIGHT), 200), (("login", RIGHT), 200), (("login", WRONG), 401),
        ]:
            answer = json.loads(run(*client, *words))
            if answer["status"] != status:
                fail(f"{words[0]} was answered by {answer}")
    return judge("mpin-server", "server", work.path("server.log.memcheck"))


def main(products, probe, module):
    with tempfile.TemporaryDirectory(prefix="mpin-constant-time-") as directory:
        work = Work(directory, products, probe)
        with Server(work, os.path.join(products, "mpin-server")):
            enroll(work)
            wrong = examine_module(work, module, "pam_mpin", "module")
        wrong += examine_server(work)
    sys.exit(wrong != 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
