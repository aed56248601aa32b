// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// A name server that accepts queries over TCP and never answers, for which glibc waits without a limit.
    @Suite struct NameLookupTests {
        /// In a network of its own: the name server, `mpin-server`, and three rounds of 16 registrations about which the
        /// server asks an application whose name cannot be looked up. Prints threads and descriptors after each round.
        private static let script = #"""
            import fcntl, http.client, json, os, socket, struct, subprocess, sys, threading
            server, directory, path = sys.argv[1:]
            control = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", b"lo", 0x41))
            datagrams = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            datagrams.bind(("127.0.0.1", 53))
            stream = socket.create_server(("127.0.0.1", 53), backlog=200)
            held = []
            def truncate():
                while True:
                    query, client = datagrams.recvfrom(512)
                    end = query.index(b"\0", 12) + 5
                    datagrams.sendto(query[:2] + b"\x83\x80\0\1\0\0\0\0\0\0" + query[12:end], client)
            def hold():
                while True: held.append(stream.accept())
            for work in (truncate, hold): threading.Thread(target=work, daemon=True).start()
            process = subprocess.Popen([server, "serve", "--dir", directory, "--listen", "unix:" + path], stdout=subprocess.PIPE)
            process.stdout.readline()
            class Connection(http.client.HTTPConnection):
                def connect(self):
                    self.sock = socket.socket(socket.AF_UNIX)
                    self.sock.connect(path)
            statuses = []
            def register(user):
                connection = Connection("localhost", timeout=300)
                body = {"userId": user, "mobile": 1, "deviceName": "laptop", "userData": "activate"}
                connection.request("PUT", "/rps/user", json.dumps(body), {"Content-Type": "application/json"})
                statuses.append(connection.getresponse().status)
            for turn in range(3):
                calls = [threading.Thread(target=register, args=[f"user{turn}-{number}@example.org"]) for number in range(16)]
                for call in calls: call.start()
                for call in calls: call.join()
                print(*(len(os.listdir(f"/proc/{process.pid}/{name}")) for name in ("task", "fd")))
            print(sorted(set(statuses)))
            process.kill()
            """#

        @Test(.enabled(if: getuid() == 0)) func `lookups that never end take up a bounded number of threads`() throws {
            let machine = try Machine(isServing: false)
            try machine.write(
                "verify = hook\nverify_url = https://hook.example.test/verify\nfailures_per_source = 1000\n",
                to: "/server/server.conf")
            try machine.write("nameserver 127.0.0.1\noptions timeout:1 attempts:1\n", to: "/resolv.conf")
            try machine.write(Self.script, to: "/lookup.py")
            let run = try Run(
                "/usr/bin/unshare",
                [
                    "-n", "-m", "--propagation", "private", "/bin/sh", "-c",
                    "chmod 0644 $0/resolv.conf && mount --bind $0/resolv.conf /etc/resolv.conf && "
                        + "exec python3 $0/lookup.py \(Products.server) $0/server $0/hook.sock", machine.directory,
                ])
            let lines = run.output.split(separator: "\n")
            try #require(run.status == 0 && lines.count == 4, "\(run.all)")
            let counts = lines.prefix(3).map { $0.split(separator: " ").compactMap { Int($0) } }
            #expect(counts[2][0] <= counts[0][0] + 4, "threads: \(run.output)")
            #expect(counts[2][1] <= counts[0][1] + 24, "descriptors: \(run.output)")
            #expect(lines[3] == "[503]", "\(run.output)")
        }
    }
}
