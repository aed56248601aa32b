// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `mpin-server setup --public-url`, with a program that replaces systemd, which does not run here.
@Suite(.serialized, .enabled(if: getuid() == 0)) struct PublicAddressTests {
    static let settings = "/etc/mpin/server.conf.d/20-public.conf"
    static let dropIn = "/etc/systemd/system/mpin-server.service.d/20-public.conf"

    private let host: Namespace
    private let port = Int.random(in: 20_000..<30_000)

    init() throws {
        host = try Namespace(systemd: true)
        try host.shell(Self.systemd)
        #expect(try setup().code == 0)
    }

    private func setup(_ options: String = "") throws -> Program.Result {
        try host.shell(
            "mount --bind /run/systemctl /usr/bin/systemctl; \"$0\" setup nobody \(options); code=$?; umount /usr/bin/systemctl; exit $code",
            expecting: nil)
    }

    private func tls(_ port: Int, certificate: String = "good", key: String = "good") -> String {
        "--public-url https://mpin.example:\(port) --tls-cert /etc/tls/\(certificate).crt --tls-key /etc/tls/\(key).key"
    }

    private func ready() throws -> String { try host.shell("cat /run/ready").output }

    private func end() { _ = try? host.shell("kill $(cat /run/server.pid)", expecting: nil) }

    @Test func `the server gets a port with TLS, and keeps its socket`() throws {
        defer { end() }
        let run = try setup(tls(port))
        #expect(run.code == 0, "\(run)")
        #expect(try ready() == "mpin-server: ready on unix:/run/mpin/server.sock, [::]:\(port)\n")
        #expect(
            run.output.contains(
                "wrote \(Self.settings): other machines reach the server at https://mpin.example:\(port)"))
        #expect(run.output.contains("sudo mpin-enroll server show --server https://mpin.example:\(port)"))
        let page = try host.shell(
            "curl -sS --cacert /etc/tls/good.crt --connect-to mpin.example:\(port):127.0.0.1:\(port) https://mpin.example:\(port)/rps/clientSettings",
            expecting: nil)
        #expect(
            page.output.contains("https:\\/\\/mpin.example:\(port)")
                || page.output.contains("https://mpin.example:\(port)"), "\(page)")
        #expect(try host.shell("curl -sS --unix-socket /run/mpin/server.sock http://x/rps/clientSettings").code == 0)
        // Its account cannot read the key, and systemd's files are root's.
        #expect(try host.shell("stat -c '%U %a' \(Self.settings) \(Self.dropIn)").output == "root 644\nroot 644\n")
        #expect(try !host.shell("cat \(Self.dropIn)").output.contains("Capabilit"))
        let invited = try host.shell("setpriv --reuid=mpin --regid=mpin --clear-groups \"$0\" invite alice")
        #expect(
            invited.output.hasPrefix("mpin.example:\(port)/") && invited.output.contains("register --user alice"),
            "\(invited)")

        // The audit log names the person who called sudo.
        let audit = try host.shell("SUDO_USER=games \"$0\" invite bob >/dev/null; \"$0\" audit --user bob")
        #expect(audit.output.contains("actor=games (sudo)"), "\(audit)")

        let again = try setup(tls(port))
        #expect(again.code == 0 && again.output.contains("     other machines reach the server at"), "\(again)")

        let moved = try setup(tls(port + 1))
        #expect(moved.output.contains("run: sudo mpin-enroll server set https://mpin.example:\(port + 1)"), "\(moved)")
        #expect(try ready().contains("[::]:\(port + 1)\n"))

    }

    @Test(arguments: [("www-data", "/run/mpin-proxy"), ("haproxy", "/var/lib/haproxy/mpin")])
    func `the server gets a socket for the user of a proxy`(user: String, directory: String) throws {
        defer { end() }
        try host.shell(
            "useradd --system --no-create-home haproxy; mkdir /var/lib/haproxy; chmod 755 /var/lib /var/lib/haproxy")
        let run = try setup("--public-url https://mpin.example --behind-proxy \(user)")
        #expect(run.code == 0, "\(run)")
        #expect(
            try ready() == "mpin-server: ready on unix:/run/mpin/server.sock, unix:\(directory)/server.sock\n")
        #expect(run.output.contains("the proxy connects to \(directory)/server.sock\n"), "\(run)")
        #expect(run.output.contains("Every program that runs as \(user) counts as the proxy"), "\(run)")
        #expect(
            try host.shell("stat -c '%U %G %a' \(directory) \(directory)/server.sock").output
                == "mpin \(user) 2750\nmpin \(user) 660\n")
        // Only the proxy can connect, and only the proxy names the client.
        func register(as account: String, _ socket: String) throws -> String {
            try host.shell(
                "setpriv --reuid=\(account) --regid=\(account) --clear-groups curl -sS -o /dev/null -w '%{http_code}' "
                    + "--unix-socket \(socket) -X PUT -H 'X-Forwarded-For: 198.51.100.7' "
                    + "--data '{\"userId\":\"\(account)\",\"mobile\":0,\"activateCode\":\"AAAA\"}' http://x/rps/user",
                expecting: nil
            ).output
        }
        #expect(try register(as: user, directory + "/server.sock") == "403")
        #expect(try register(as: "games", directory + "/server.sock") == "000")
        let audit = try host.shell(
            "sleep 0.5; setpriv --reuid=mpin --regid=mpin --clear-groups \"$0\" audit --user \(user)")
        #expect(audit.output.contains("source=198.51.100.7"), "\(audit)")
        // Without the directory, for example because the proxy was removed, this host's users still log in.
        try host.shell("rm -r \(directory); sed -i '/^ExecStartPre/d' \(Self.dropIn); /run/systemctl restart")
        #expect(try ready() == "mpin-server: ready on unix:/run/mpin/server.sock\n")
        let log = try host.shell("cat /run/log").output
        #expect(log.contains("cannot listen on unix:\(directory)/server.sock: No such file or directory"), "\(log)")
    }

    @Test func `the server's own certificate and one of a CA replace each other`() throws {
        defer { end() }
        let own = "--public-url https://mpin.example:\(port) --self-signed"
        func issuer() throws -> String {
            try host.shell(
                "openssl s_client -connect 127.0.0.1:\(port) -servername mpin.example </dev/null 2>/dev/null "
                    + "| openssl x509 -noout -issuer"
            ).output
        }
        let first = try setup(own)
        #expect(first.code == 0 && first.output.contains("makes and renews its certificate"), "\(first)")
        let issued = try issuer()
        let again = try setup(own)
        #expect(again.code == 0 && again.output.contains("     other machines reach the server at"), "\(again)")
        #expect(try issuer() == issued)
        #expect(try setup(tls(port)).code == 0)
        #expect(try issuer().contains("mpin.example") && issuer() != issued)
        #expect(try host.shell("cat \(Self.settings)").output.contains("tls_self_signed") == false)
        #expect(try setup(own).code == 0)
        #expect(try issuer() == issued)
        #expect(try host.shell("cat \(Self.settings) \(Self.dropIn)").output.contains("tls.crt") == false)
        #expect(try host.shell("ls /run/mpin-tls").output.isEmpty)
    }

    private func servedSerial() throws -> String {
        try host.shell(
            "openssl s_client -connect 127.0.0.1:\(port) </dev/null 2>/dev/null | openssl x509 -noout -serial",
            expecting: nil
        ).output
    }

    private func serial(_ name: String) throws -> String {
        try host.shell("openssl x509 -noout -serial -in /etc/tls/\(name).crt").output
    }

    @Test func `a reload takes a renewed certificate, and with a botched one, the server starts without its port`()
        throws
    {
        defer { end() }
        #expect(try setup(tls(port)).code == 0)
        #expect(try host.shell("stat -c '%U %G %a' /run/mpin-tls/*").output == "root mpin 640\nroot mpin 640\n")
        #expect(try servedSerial() == serial("good"))
        let valid = try host.shell("\"$0\" config check")
        #expect(valid.output.contains("The certificate in /etc/tls/good.crt is valid for 1 day."), "\(valid)")
        // Renewed together with its key.
        try host.shell("cp /etc/tls/other.crt /etc/tls/good.crt; cp /etc/tls/other.key /etc/tls/good.key")
        let process = try host.shell("cat /run/server.pid").output
        try host.shell("/run/systemctl reload; sleep 1")
        #expect(try host.shell("cat /run/server.pid").output == process)
        #expect(try servedSerial() == serial("other"))
        // Renewed with one that has expired.
        try host.shell(
            """
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=mpin.example \\
                -keyout /etc/tls/good.key -out /etc/tls/old.csr 2>/dev/null
            openssl x509 -req -days -1 -in /etc/tls/old.csr -signkey /etc/tls/good.key -out /etc/tls/good.crt 2>/dev/null
            /run/systemctl reload; sleep 1
            """)
        #expect(try servedSerial() == serial("other"))
        #expect(try host.shell("cat /run/log").output.contains("has expired"))
        try host.shell("cp /etc/tls/other.key /etc/tls/good.key")
        // Renewed with the key of before.
        try host.shell(
            "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=mpin.example "
                + "-keyout /dev/null -out /etc/tls/good.crt 2>/dev/null; /run/systemctl reload; sleep 1")
        #expect(try servedSerial() == serial("other"))
        let fault = "is not the key of the first certificate in"
        #expect(try host.shell("cat /run/log").output.contains("keeping the previous certificate"))
        let check = try host.shell("\"$0\" config check", expecting: nil)
        #expect(check.code == 78 && check.errors.contains("/etc/tls/good.key \(fault) /etc/tls/good.crt"), "\(check)")
        let doctor = try host.shell("\"$0\" doctor", expecting: nil)
        #expect(doctor.code == 1 && doctor.output.contains("/etc/tls/good.key \(fault)"), "\(doctor)")
        // A certificate for another host.
        let foreign = try host.shell(
            """
            cp /etc/tls/good.key /etc/tls/foreign.key; cp /etc/tls/good.crt /etc/tls/foreign.crt
            openssl req -x509 -key /etc/tls/good.key -days 2 -subj /CN=mpin.example \\
                -addext subjectAltName=DNS:other.example -out /etc/tls/good.crt 2>/dev/null
            "$0" config check; code=$?; /run/systemctl reload; sleep 1; exit $code
            """, expecting: nil)
        #expect(foreign.code == 78 && foreign.errors.contains("good.crt is not for mpin.example"), "\(foreign)")
        #expect(try servedSerial() == serial("other"))
        try host.shell("mv /etc/tls/foreign.crt /etc/tls/good.crt")
        try host.shell("/run/systemctl restart")
        let (line, log) = (try ready(), try host.shell("cat /run/log").output)
        #expect(line == "mpin-server: ready on unix:/run/mpin/server.sock\n", "\(log)")
        #expect(log.contains("cannot listen on [::]:\(port): the copy of the certificate /etc/tls/good.crt"), "\(log)")
        let status = try host.shell("\"$0\" status")
        #expect(status.output.contains("listener: cannot listen on [::]:\(port)"), "\(status)")
        let plain = try setup()
        #expect(plain.code == 0 && plain.output.contains("Warning: cannot listen on [::]:\(port)"), "\(plain)")
        let unread = try host.shell("setpriv --reuid=mpin --regid=mpin --clear-groups \"$0\" config check")
        #expect(unread.output.contains("The certificate in /etc/tls/good.crt was not checked."), "\(unread)")
        // Without the files, the former copies still serve.
        try host.shell("cp /etc/tls/other.crt /etc/tls/good.crt; /run/systemctl restart; rm /etc/tls/good.*")
        try host.shell("/run/systemctl restart")
        #expect(try servedSerial() == serial("other"))
    }

    @Test func `ports below 1024 get the one capability that they need`() throws {
        defer { end() }
        let run = try setup(
            "--public-url https://mpin.example --tls-cert /etc/tls/good.crt --tls-key /etc/tls/good.key")
        // Without systemd, the account may not listen there, so everything is as before.
        #expect(run.code == 69, "\(run)")
        #expect(try ready().hasSuffix("server.sock\n"))
        #expect(try host.shell("ls \(Self.settings) \(Self.dropIn)", expecting: nil).output.isEmpty)
    }

    @Test func `whatever cannot work changes nothing`() throws {
        defer { end() }
        #expect(try setup(tls(port)).code == 0)
        let before = try host.shell("cat \(Self.settings) \(Self.dropIn)").output
        try host.shell(
            """
            install -d -o mpin /etc/own && cp /etc/tls/good.key /etc/own/key
            useradd --system --no-create-home haproxy && install -d -o haproxy /var/lib/haproxy
            ln -s /etc/own/link /etc/tls/linked && ln -s /etc/tls/good.key /etc/own/link
            openssl req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=mpin.example \\
                -keyout /etc/tls/old.key -out /etc/tls/old.csr 2>/dev/null
            openssl x509 -req -days -1 -in /etc/tls/old.csr -signkey /etc/tls/old.key -out /etc/tls/old.crt 2>/dev/null
            """)
        for (options, code, message): (String, Int32, String) in [
            (tls(port + 1, certificate: "other"), 78, "/etc/tls/good.key is not the key of the first certificate"),
            (tls(port + 1, certificate: "none"), 78, "cannot read /etc/tls/none.crt: No such file"),
            (
                "--public-url https://mpin.example --tls-cert /etc/tls/good.crt --tls-key /etc/own/key", 78,
                "users other than root can replace /etc/own"
            ),
            (
                "--public-url https://mpin.example --tls-cert /etc/tls/good.crt --tls-key /etc/tls/linked", 78,
                "users other than root can replace /etc/own"
            ),
            (tls(port + 1, certificate: "old", key: "old"), 78, "has expired"),
            (
                "--public-url https://other.example:\(port) --tls-cert /etc/tls/good.crt --tls-key /etc/tls/good.key",
                78,
                "the certificate in /etc/tls/good.crt is not for other.example"
            ),
            ("--public-url https://mpin.example", 64, "--public-url needs one of: --self-signed"),
            ("--behind-proxy www-data", 64, "no --public-url given"),
            ("--public-url http://mpin.example --behind-proxy www-data", 78, "not a public URL"),
            (
                "--public-url https://127.0.0.1 --behind-proxy www-data", 64,
                "other machines cannot use https://127.0.0.1"
            ),
            ("--public-url https://mpin.example --behind-proxy no-such-user", 67, "no account no-such-user"),
            ("--public-url https://mpin.example --behind-proxy root", 64, "requests do not come from root"),
            ("--public-url https://mpin.example --behind-proxy mpin", 64, "requests do not come from mpin"),
            ("--public-url https://mpin.example --behind-proxy haproxy", 78, "users other than root can replace"),
            (tls(99_999), 64, "not a port"),
        ] {
            let run = try setup(options)
            #expect(run.code == code && run.errors.contains(message), "\(options): \(run)")
        }
        // A port that another process has: the server does not start, and then does as before.
        let other = try RunningServer(listen: ["127.0.0.1:0"])
        let taken = try setup(tls(Int(other.port)))
        #expect(taken.code == 69 && taken.errors.contains("Address already in use"), "\(taken)")
        #expect(taken.errors.contains("The server's settings are as before."), "\(taken)")
        #expect(try host.shell("cat \(Self.settings) \(Self.dropIn)").output == before)
        #expect(try ready() == "mpin-server: ready on unix:/run/mpin/server.sock, [::]:\(port)\n")
        // A setting of the administrator's that would win.
        try host.shell("echo 'listen = unix:/run/mpin/server.sock' >/etc/mpin/server.conf")
        let overridden = try setup(tls(port + 3))
        #expect(overridden.code == 78 && overridden.errors.contains("another file in /etc/mpin sets"), "\(overridden)")
        // A wrong setting does not hide whether the server runs.
        try host.shell("echo 'sevrer = x' >/etc/mpin/server.conf")
        let status = try host.shell("\"$0\" status", expecting: 78)
        #expect(status.errors.contains("unknown key 'sevrer'"), "\(status)")
        #expect(status.errors.contains("The server runs as process"), "\(status)")
        #expect(try host.shell("\"$0\" doctor", expecting: 1).output.contains("The server runs as process"))
        #expect(try host.shell("cat \(Self.settings) \(Self.dropIn)").output == before)
    }
}
