// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// `mpin-server setup` on hosts of their own.
@Suite(.serialized, .enabled(if: getuid() == 0)) struct SetupTests {
    /// Starts the server as setup advises, and ends it at the end of a command.
    private static let served = """
        setpriv --reuid=mpin --regid=mpin --clear-groups "$0" serve --status unix:/run/mpin/status.sock >/dev/null & \
        server=$!; trap 'kill $server; wait $server' EXIT; \
        for _ in $(seq 1200); do [ -S /run/mpin/server.sock ] && break; sleep 0.1; done;
        """

    @Test func `a host without systemd gets everything, and a hint how to start the server`() throws {
        let host = try Namespace()
        let first = try host.shell("SUDO_USER=nobody LANG=C.UTF-8 \"$0\" setup")
        #expect(first.output.hasPrefix("Setting up an M-Pin server on this host"))
        #expect(first.output.contains("created the account mpin"))
        #expect(first.output.contains("wrote /etc/mpin/mpin.conf: server = unix:/run/mpin/server.sock"))
        #expect(first.output.contains("sudo mpin-server serve --status unix:/run/mpin/status.sock\n"))
        let code = /[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}/
        #expect(first.output.firstMatch(of: code) != nil)
        #expect(first.output.hasSuffix("Next, once the server runs: sudo mpin-enroll\n"))
        #expect(try host.shell("stat -c '%U %a' /var/lib/mpin-server /run/mpin").output == "mpin 700\nmpin 755\n")
        #expect(try host.shell("stat -c '%U %a' /etc/mpin/mpin.conf").output == "root 644\n")
        #expect(
            try host.shell("stat -c %U /var/lib/mpin-server/*").output.split(separator: "\n").allSatisfy {
                $0 == "mpin"
            })
        // The command that it names works, and the server then answers a second run.
        let sums = "cat /var/lib/mpin-server/state/seal.key /etc/mpin/mpin.conf | sha256sum"
        let before = try host.shell(sums).output
        let second = try host.shell(Self.served + "\"$0\" setup nobody --json")
        #expect(second.object["ok"] as? Bool == true)
        #expect(second.object["userId"] as? String == "nobody")
        #expect((second.object["code"] as? String)?.wholeMatch(of: code) != nil)
        #expect(second.object["serve"] is NSNull)
        #expect(second.object["next"] as? String == "sudo mpin-enroll --user nobody")
        let steps = try #require(second.object["steps"] as? [[String: Any]])
        #expect(steps.filter { $0["changed"] as? Bool == true }.map { $0["step"] as? String } == ["invitation"])
        #expect(try host.shell(sums).output == before)
    }

    @Test(arguments: ["", " --json"], [">/dev/full", ">&-"])
    func `a command that cannot report its result does nothing`(form: String, output: String) throws {
        let host = try Namespace()
        let before = try host.shell("ls -A /etc/mpin /var/lib /run; cat /etc/passwd", expecting: nil).output
        let refused = try host.shell("\"$0\" setup nobody\(form) \(output)", expecting: 74)
        #expect(refused.errors.contains("Nothing was changed.") == form.isEmpty, "\(refused.errors)")
        #expect(!refused.errors.contains("succeeded"))
        #expect(try host.shell("ls -A /etc/mpin /var/lib /run; cat /etc/passwd", expecting: nil).output == before)
    }

    @Test func `an existing configuration is not changed; the missing line is shown`() throws {
        let host = try Namespace()
        try host.shell(
            "mkdir /etc/mpin; printf 'timeout = 9\\nserver = https://login.example.org\\n' >/etc/mpin/mpin.conf")
        let result = try host.shell("\"$0\" setup nobody --yes")
        #expect(result.output.contains("does not name this server"), "\(result)")
        #expect(result.output.contains("\n     server = unix:/run/mpin/server.sock\n"), "\(result)")
        #expect(try host.shell("cat /etc/mpin/mpin.conf").output == "timeout = 9\nserver = https://login.example.org\n")
        #expect(result.output.hasSuffix("--user nobody --server unix:/run/mpin/server.sock\n"))
        // One that leads here already, however it is written.
        try host.shell("echo 'server=unix:/run/mpin/server.sock # here' >/etc/mpin/mpin.conf")
        #expect(try host.shell("\"$0\" setup nobody").output.contains("/etc/mpin/mpin.conf already names this server"))
    }

    @Test func `a client of another server becomes a server only if the administrator says so`() throws {
        let host = try Namespace()
        for client in [
            "mkdir /etc/mpin; echo 'server = https://login.example.org' >/etc/mpin/mpin.conf",
            "rm -r /etc/mpin; install -d /var/lib/mpin/users; touch /var/lib/mpin/users/nobody.json",
        ] {
            try host.shell(client)
            let refused = try host.shell("\"$0\" setup nobody", expecting: 64)
            #expect(refused.errors.contains("this host is a client") && refused.errors.contains("add --yes"))
            try host.shell("[ ! -e /var/lib/mpin-server ]")
        }
        try host.shell("\"$0\" setup nobody --yes")
        #expect(try host.shell("cat /etc/mpin/mpin.conf").output.contains("server = unix:/run/mpin/server.sock"))
        try host.shell("\"$0\" setup nobody")
    }

    @Test func `with systemd the unit is enabled and started, and its failure is reported`() throws {
        let host = try Namespace(systemd: true)
        // Replaces systemd, which does not run here, and does the same for the unit.
        try host.shell(
            """
            cat >/run/systemctl <<'END'
            #!/bin/bash
            echo "$*" >>/run/calls
            [ "$1" = enable ] || exit 0
            [ -e /run/works ] || { echo 'Unit mpin-server.service is masked.' >&2; exit 1; }
            [ -S /run/mpin/server.sock ] && exit 0
            install -d -o mpin -g mpin -m 0755 /run/mpin
            # As a service it inherits nothing from the caller of systemctl.
            for file in /proc/self/fd/*; do
                [ "${file##*/}" -lt 3 ] || [ "${file##*/}" = 255 ] || eval "exec ${file##*/}>&-"
            done
            setsid setpriv --reuid=mpin --regid=mpin --clear-groups "$(cat /run/works)" serve \
                --listen unix:/run/mpin/server.sock </dev/null >/dev/null 2>&1 &
            echo $! >/run/server.pid
            END
            chmod +x /run/systemctl
            """)
        let setup =
            "mount --bind /run/systemctl /usr/bin/systemctl; \"$0\" setup nobody --json; code=$?; umount /usr/bin/systemctl; exit $code"
        let failed = try host.shell(setup, expecting: 69)
        let error = try #require(failed.object["error"] as? [String: Any])
        #expect((error["message"] as? String)?.contains("Unit mpin-server.service is masked") == true)
        try host.shell("echo \"$0\" >/run/works")
        defer { _ = try? host.shell("kill $(cat /run/server.pid)", expecting: nil) }
        let done = try host.shell(setup)
        #expect(done.object["next"] as? String == "sudo mpin-enroll --user nobody")
        #expect(done.object["code"] as? String != nil)
        #expect(
            try host.shell("grep -c '^enable --now mpin-server.service$' /run/calls").output == "2\n")
    }

    @Test func `a new server accepts no registrations without a key, and an existing one stays as it is`() throws {
        let host = try Namespace()
        let own = "/etc/mpin/server.conf", conf = "/etc/mpin/server.conf.d/10-setup.conf"
        try host.shell("mkdir /etc/mpin; echo '# settings' >\(own)")
        let first = try host.shell("\"$0\" setup nobody")
        #expect(first.output.contains("wrote \(conf): legacy = refuse"))
        #expect(try host.shell("stat -c '%U %a' \(conf); grep -v '^#' \(conf)").output == "root 644\nlegacy = refuse\n")
        #expect(try host.shell("ls /etc/mpin/server.conf.d; cat \(own)").output == "10-setup.conf\n# settings\n")
        // The server uses it.
        try host.shell("echo 'legacy = maybe' >>\(conf)")
        #expect(try host.shell("\"$0\" user list", expecting: 78).errors.contains("\(conf):4: 'legacy' is set twice"))
        try host.shell("echo 'legacy = allow' >\(conf)")
        #expect(try !host.shell("\"$0\" setup nobody").output.contains("10-setup.conf"))
        let again = try host.shell("rm -r /var/lib/mpin-server; \"$0\" setup nobody")
        #expect(again.output.contains("\(conf) exists. It was not changed."))
        #expect(try host.shell("cat \(conf)").output == "legacy = allow\n")
        // A plain 'init' changes nothing. A restored server has no such file either.
        try host.shell("rm \(conf); \"$0\" init --dir /var/lib/a; [ ! -e \(conf) -a ! -e /var/lib/a/server.conf ]")
        #expect(try host.shell("\"$0\" setup nobody").output.contains("wrote \(conf): legacy = refuse"))
    }

    @Test func `files in server conf d are read before server conf, in the order of their bytes`() throws {
        let host = try Namespace()
        try host.shell("\"$0\" setup nobody")
        let show = "\"$0\" user show nobody --json", place = "/etc/mpin/server.conf.d"
        let limit = { (text: String) in try host.shell(text).object["maxInvalidLoginAttempts"] as? Int }
        let set = { (number: Int, file: String) in
            try host.shell("echo 'max_invalid_login_attempts = \(number)' >\(file)")
        }
        _ = try set(4, "\(place)/Z.conf")
        #expect(try limit(show) == 4)
        _ = try set(5, "\(place)/a.conf")
        #expect(try limit(show) == 5)
        for name in ["b", ".b.conf", "b.conf.new", "b.conf~"] { _ = try set(9, "\(place)/\(name)") }
        #expect(try limit(show) == 5)
        _ = try set(6, "/etc/mpin/server.conf")
        #expect(try limit(show) == 6)
        // No other file has such a directory.
        try host.shell("mkdir /run/other.conf.d; cp \(place)/a.conf /run/other.conf.d; touch /run/other.conf")
        #expect(try limit(show + " --config /run/other.conf") == 3)
        #expect(try limit(show + " --config /etc/mpin/server.conf") == 6)
        #expect(try limit(show + " --dir /var/lib/mpin-server") == 6)
        try host.shell("mkdir /var/lib/plain; chmod 700 /var/lib/plain; \"$0\" init --dir /var/lib/plain")
        try host.shell("cp -r \(place) /var/lib/plain; \"$0\" invite nobody --dir /var/lib/plain")
        #expect(try limit(show + " --dir /var/lib/plain") == 3)
        // A mistake is named with its file, and what others can write is not read.
        _ = try host.shell("echo 'color = blue' >\(place)/c.conf")
        #expect(try host.shell(show, expecting: 78).output.contains("\(place)/c.conf:1: unknown key 'color'"))
        _ = try host.shell("rm \(place)/c.conf; chmod 666 \(place)/a.conf")
        #expect(
            try host.shell(show, expecting: 78).output.contains(
                "\(place)/a.conf is writable by users other than its owner"))
        _ = try host.shell("chmod 644 \(place)/a.conf; chmod 777 \(place)")
        #expect(
            try host.shell(show, expecting: 78).output.contains("\(place) is writable by users other than its owner"))
    }

    @Test func `setup that is killed anywhere can be run again`() throws {
        let host = try Namespace()
        for milliseconds in stride(from: 5, through: 320, by: 15) {
            try host.shell(
                "timeout -s KILL 0.\(String(format: "%03d", milliseconds)) \"$0\" setup nobody", expecting: nil)
        }
        let result = try host.shell("\"$0\" setup nobody --json")
        #expect(result.object["ok"] as? Bool == true)
        #expect(try host.shell(Self.served + "\"$0\" setup nobody --json").object["serve"] is NSNull)
        #expect(try host.shell("ls -A /etc/mpin").output == "mpin.conf\nserver.conf.d\n")
    }

    @Test func `a user who is enrolled gets no further code`() throws {
        let host = try Namespace()
        let code = try host.shell("\"$0\" setup nobody --json").object["code"] as? String ?? ""
        let enroll = """
            mkdir -m 700 /run/store; printf '4962\\n' | "${0%/*}/mpin-enroll" register --user nobody --store /run/store \
            --code \(code) --pin-file - --no-input >/dev/null &&
            """
        let again = try host.shell(Self.served + enroll + " \"$0\" setup nobody --json")
        #expect(again.object["code"] == nil && again.output.contains("nobody is enrolled"), "\(again.output)")
    }

    @Test func `without root, a user or an existing user, setup prints what to run`() throws {
        let host = try Namespace()
        let unknown = try host.shell("\"$0\" setup no-such-account", expecting: 67)
        #expect(unknown.errors.contains("no account no-such-account"))
        let nobody = try host.shell("unset SUDO_USER; \"$0\" setup </dev/null", expecting: 64)
        #expect(nobody.errors.contains("Run: sudo mpin-server setup USER"))
        let stranger = try host.shell(
            "setpriv --reuid=65534 --regid=65534 --clear-groups \"$0\" setup nobody", expecting: 77)
        #expect(stranger.errors.contains("Run: sudo mpin-server setup nobody"))
        // Nothing was made.
        #expect(try host.shell("ls -A /var/lib; ls -d /etc/mpin 2>/dev/null || true").output.isEmpty)
    }

    /// A host whose systemd knows the unit once there is /run/unit, and with two devices of a TPM.
    private static func hostWithTPMs() throws -> Namespace {
        let host = try Namespace(systemd: true)
        try host.shell(
            """
            printf '#!/bin/bash\\n[ "$1" != cat -a "$1" != enable ] || [ "$1" = cat -a -e /run/unit ]\\n' >/run/systemctl
            chmod +x /run/systemctl; mount --bind /run/systemctl /usr/bin/systemctl
            mkdir /run/dev; cp -a /dev/null /dev/zero /dev/full /dev/random /dev/urandom /run/dev
            mknod /run/dev/tpm7 c 1 3; mknod /run/dev/tpmrm7 c 1 3; mknod /run/dev/sda7 c 1 3
            chgrp games /run/dev/tpm7 /run/dev/tpmrm7 /run/dev/sda7; ln -s tpm7 /run/dev/tpmlink
            mount --bind /run/dev /dev
            """)
        return host
    }

    @Test func `a server that is there gets its TPM opened, as often as setup runs`() throws {
        let host = try Self.hostWithTPMs()
        defer { _ = try? host.shell("umount /usr/bin/systemctl", expecting: nil) }
        try host.shell("\"$0\" setup nobody")
        try host.shell("echo 'tpm_device = device:/dev/tpm7' >>/etc/mpin/server.conf; touch /run/unit")
        let drop = "/etc/systemd/system/mpin-server.service.d/tpm.conf"
        // The unit does not start here, which comes after all that.
        let first = try host.shell("\"$0\" setup nobody --seal tpm", expecting: 69).output
        #expect(first.contains("mpin-server reseal --seal tpm"), "\(first)")
        #expect(try host.shell("id -Gn mpin; grep Allow \(drop)").output == "mpin games\nDeviceAllow=/dev/tpm7 rw\n")
        let second = try host.shell("\"$0\" setup nobody --seal tpm", expecting: 69).output
        #expect(second.contains("mpin is in the group games") && second.contains("the unit can access /dev/tpm7"))
        // One that was killed before it came to this, and a setting that has changed.
        try host.shell("rm \(drop); gpasswd -d mpin games; sed -i s:/tpm7:/tpmrm7: /etc/mpin/server.conf")
        try host.shell("mv /var/lib/mpin-server/state/seal.key /var/lib/mpin-server/state/seal.tpm")
        _ = try host.shell("\"$0\" setup nobody", expecting: 69)
        #expect(try host.shell("id -Gn mpin; grep Allow \(drop)").output == "mpin games\nDeviceAllow=/dev/tpmrm7 rw\n")
        // A file of the administrator's is not changed.
        try host.shell("echo '[Service]' >\(drop)")
        let theirs = try host.shell("\"$0\" setup nobody", expecting: 69).output
        #expect(theirs.contains("Add the line:\n     DeviceAllow=/dev/tpmrm7 rw"), "\(theirs)")
    }

    @Test func `a setting that the account mpin writes gives it no group`() throws {
        let host = try Self.hostWithTPMs()
        defer { _ = try? host.shell("umount /usr/bin/systemctl", expecting: nil) }
        try host.shell("\"$0\" setup nobody; rm -r /etc/mpin; touch /run/unit")
        try host.shell("echo 'tpm_device = device:/etc/shadow' >/var/lib/mpin-server/server.conf")
        try host.shell("chown mpin: /var/lib/mpin-server/server.conf")
        _ = try host.shell("\"$0\" setup nobody --seal tpm", expecting: nil)
        #expect(try host.shell("id -Gn mpin").output == "mpin\n")
        // Through a link, or in a directory, that the account can change.
        try host.shell(
            "echo 'tpm_device = device:/dev/tpm7' >/var/lib/mpin-server/server.conf; "
                + "ln -sf /var/lib/mpin-server/server.conf /etc/mpin/server.conf")
        let linked = try host.shell("\"$0\" setup nobody --seal tpm", expecting: 78)
        #expect(linked.errors.contains("users other than root can change /etc/mpin/server.conf"), "\(linked.errors)")
        try host.shell(
            "rm /etc/mpin/server.conf /var/lib/mpin-server/server.conf; "
                + "echo 'tpm_device = device:/dev/tpm7' >/etc/mpin/server.conf; chown mpin /etc/mpin")
        let owned = try host.shell("\"$0\" setup nobody --seal tpm", expecting: 78)
        #expect(owned.errors.contains("users other than root can change /etc/mpin,"), "\(owned.errors)")
        #expect(
            try host.shell("id -Gn mpin; grep -h Allow /etc/systemd/system/mpin-server.service.d/*").output
                == "mpin\nDeviceAllow=/dev/tpmrm0 rw\n")
    }

    @Test(arguments: [
        "device:/etc/shadow", "device:/dev/sda7", "device:/dev/tpmlink", "device:/dev/tpm7/../sda7", "device:/dev/tpm",
        "swtpm:path=/run/dev/tpm7",
    ])
    func `setup opens a TPM of this host, and nothing else`(device: String) throws {
        let host = try Self.hostWithTPMs()
        defer { _ = try? host.shell("umount /usr/bin/systemctl", expecting: nil) }
        try host.shell("\"$0\" setup nobody; echo 'tpm_device = \(device)' >/etc/mpin/server.conf; touch /run/unit")
        let refused = try host.shell("\"$0\" setup nobody --seal tpm", expecting: 78)
        #expect(refused.errors.contains("tpm_device = \(device) is not a TPM of this host"), "\(refused.errors)")
        #expect(
            try host.shell("id -Gn mpin; ls /etc/systemd/system/mpin-server.service.d", expecting: nil).output
                == "mpin\n")
    }

    @Test func `as root, setup reads nothing in the directory of the account`() throws {
        let host = try Namespace()
        // The threads and programs that it starts are not followed.
        let setup = "strace -o /run/trace -e trace=%file,connect \"$0\" setup nobody"
        let own = "grep -q etc/passwd /run/trace || exit 9; grep -E '\"(/var/lib/mpin-server|/run/mpin)/' /run/trace"
        for command in [setup, Self.served + setup, "rm -r /var/lib/mpin-server; " + setup] {
            try host.shell(command)
            try host.shell(own, expecting: 1)
        }
    }
}
