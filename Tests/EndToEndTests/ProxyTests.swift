// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

extension EndToEnd {
    /// The site files of docs/proxies, with real proxies, as `scripts/test` unpacks them from Debian.
    @Suite(.enabled(if: isRoot)) struct ProxyTests {
        private static let debian = FileManager.default.currentDirectoryPath + "/.build/debian"

        /// Where the libraries of the proxies are.
        static let libraries = ["x86_64", "aarch64"].map { "\(debian)/usr/lib/\($0)-linux-gnu" }
            .joined(separator: ":")

        enum Proxy: String, CaseIterable {
            case nginx = "nginx.conf", caddy = "Caddyfile", haproxy = "haproxy.cfg"

            var program: String {
                switch self {
                case .nginx: debian + "/usr/sbin/nginx"
                case .caddy: debian + "/usr/bin/caddy"
                case .haproxy: debian + "/usr/sbin/haproxy"
                }
            }

            /// The command that runs it in the foreground with a site file, as another user.
            func command(_ file: String, _ directory: String) -> [String] {
                switch self {
                case .nginx:
                    [program, "-p", directory, "-c", file, "-g", "daemon off; pid nginx.pid; error_log stderr;"]
                case .caddy:
                    [
                        "/usr/bin/setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", program, "run",
                        "--adapter", "caddyfile", "--config", file,
                    ]
                case .haproxy: [program, "-db", "-f", file]
                }
            }

            /// The site file with another port, certificate and socket, and what belongs around it.
            func text(_ certificate: SiteCertificate, port: Int, in directory: String) throws -> String {
                var text = try String(contentsOfFile: "docs/proxies/" + rawValue, encoding: .utf8)
                func replace(_ old: String, _ new: String) {
                    #expect(text.contains(old), "\(rawValue) has no \(old)")
                    text = text.replacingOccurrences(of: old, with: new)
                }
                switch self {
                case .nginx:
                    replace("/run/mpin-proxy/", directory + "/mpin/")
                    replace("listen 443 ssl;\n    listen [::]:443 ssl;", "listen 127.0.0.1:\(port) ssl;")
                    replace("/etc/letsencrypt/live/mpin.example.org/fullchain.pem", certificate.file)
                    replace("/etc/letsencrypt/live/mpin.example.org/privkey.pem", certificate.key)
                    let places = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map { "\($0)_temp_path \($0);\n" }
                    return "user nobody nogroup;\nevents {}\nhttp {\naccess_log off;\n\(places.joined())\(text)}\n"
                case .caddy:
                    replace("/run/mpin-proxy/", directory + "/mpin/")
                    replace(
                        "mpin.example.org {", "https://localhost:\(port) {\ntls \(certificate.file) \(certificate.key)")
                    return "{\nadmin off\nauto_https disable_redirects\n}\n" + text
                case .haproxy:
                    replace(
                        "bind :443 ssl crt /etc/haproxy/mpin.example.org.pem",
                        "bind 127.0.0.1:\(port) ssl crt \(certificate.both)")
                    // Like Debian's file, in which the site file is put.
                    return "global\nchroot \(directory)\nuser nobody\ngroup nogroup\n" + text
                }
            }
        }

        /// A certificate for `localhost`, its key, and both in one file.
        struct SiteCertificate {
            let file: String, key: String, both: String

            init(in directory: String) throws {
                (file, key, both) = (directory + "/tls.crt", directory + "/tls.key", directory + "/both.pem")
                try Certificate.make(file, key: key)
                let content =
                    try Data(contentsOf: URL(fileURLWithPath: file)) + Data(contentsOf: URL(fileURLWithPath: key))
                try content.write(to: URL(fileURLWithPath: both))
            }
        }

        /// A program that runs until the test ends.
        final class Logged {
            private let process = Process()
            private let log: String

            init(_ program: String, _ arguments: [String], log: String, environment: [String: String] = [:]) throws {
                self.log = log
                process.executableURL = URL(fileURLWithPath: program)
                process.arguments = arguments
                process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                process.standardInput = FileHandle.nullDevice
                FileManager.default.createFile(atPath: log, contents: nil)
                process.standardOutput = FileHandle(forWritingAtPath: log)
                process.standardError = process.standardOutput
                try process.run()
            }

            var text: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

            deinit {
                process.terminate()
                process.waitUntilExit()
            }
        }

        /// A server, and a proxy in front of it with its site file.
        private struct Site: ServerAddress {
            let machine: Machine
            let certificate: SiteCertificate
            let url: String
            var authority: String? { certificate.file }
            private let server: Logged
            private let proxy: Logged

            /// Nil if the proxy is not there.
            init?(_ proxy: Proxy) throws {
                guard FileManager.default.isExecutableFile(atPath: proxy.program) else {
                    print(
                        "note: a test of docs/proxies/\(proxy.rawValue) is left out; scripts/test unpacks the program")
                    return nil
                }
                machine = try Machine()
                machine.kill()
                certificate = try SiteCertificate(in: machine.directory)
                let port = Int.random(in: 20_000..<32_000)
                let socket = machine.directory + "/mpin"
                // As 'setup --behind-proxy' has it made.
                let made = try Run("/usr/bin/install", ["-d", "-g", "nogroup", "-m", "2750", socket])
                try #require(made.status == 0, "\(made.errors)")
                try machine.write(
                    "trusted_proxy = nobody\nlisten = unix:\(socket)/server.sock\n", to: "/server/server.conf")
                server = try Logged(
                    Products.server, ["serve", "--dir", machine.directory + "/server"],
                    log: machine.directory + "/server.log")
                try machine.write(proxy.text(certificate, port: port, in: machine.directory), to: "/site")
                for file in ["/site", "/tls.key"] {
                    try #require(Run("/bin/chmod", ["o+r", machine.directory + file]).status == 0)
                }
                let command = proxy.command(machine.directory + "/site", machine.directory)
                self.proxy = try Logged(
                    command[0], Array(command.dropFirst()), log: machine.directory + "/proxy.log",
                    environment: ["HOME": "/nonexistent", "LD_LIBRARY_PATH": libraries])
                url = "https://localhost:\(port)"
                #expect(try isAnswered(), "\(self.proxy.text)\(server.text)")
            }

            /// Runs curl with the site's certificate.
            func curl(_ arguments: String...) throws -> Run { try curl(arguments) }

            func curl(_ arguments: [String]) throws -> Run {
                try Run("/usr/bin/curl", ["-sS", "--cacert", certificate.file] + arguments)
            }

            /// Waits until a page of the server arrives.
            private func isAnswered() throws -> Bool {
                try becomes { try curl("-f", url + "/rps/clientSettings").status == 0 }
            }
        }

        @Test(arguments: Proxy.allCases)
        func `logins, refusals and the clients address pass a proxy with its site file`(_ proxy: Proxy) throws {
            guard let site = try Site(proxy) else { return }
            let (machine, url) = (site.machine, site.url)
            try machine.register(at: site)
            // A refusal counts only if its signed body has arrived unchanged.
            let wrong = try machine.enroll("test", at: site, pin: "4963")
            #expect(wrong.status == 81 && wrong.errors.contains("Tries left: 2"), "\(wrong.all)")
            #expect(try machine.enroll("test", at: site, pin: "4962").status == 0)
            let spoofed = try site.curl(
                "-X", "PUT", "-H", "X-Forwarded-For: 203.0.113.9", "--data",
                #"{"userId":"mallory","mobile":0,"activateCode":"AAAA"}"#, url + "/rps/user")
            #expect(spoofed.status == 0, "\(spoofed.errors)")
            let events = try machine.administer("audit", "--json").json()["events"] as? [[String: Any]] ?? []
            let sources = Set(events.compactMap { $0["source"] as? String })
            #expect(sources == ["127.0.0.1"], "\(sources)")
        }

        /// A proxy uses its connections to the server for all users. The server reads nothing more on a connection
        /// after a request for another protocol, so it has to close it.
        @Test(arguments: Proxy.allCases)
        func `requests for another protocol delay no other user`(_ proxy: Proxy) throws {
            guard let site = try Site(proxy) else { return }
            let settings = site.url + "/rps/clientSettings"
            for _ in 0..<8 {
                let asked = try site.curl(
                    "--http1.1", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Connection: Upgrade", "-H",
                    "Upgrade: other", settings)
                #expect(asked.status == 0 && asked.output == "200", "\(asked.all)")
            }
            // HAProxy gives the first request of a client a connection of its own.
            let others = try site.curl(
                ["--http1.1", "-w", "%{http_code} %{time_total}\n"]
                    + (0..<8).flatMap { _ in ["-o", "/dev/null", settings] })
            let lines = others.output.split(separator: "\n").map { $0.split(separator: " ") }
            #expect(lines.count == 8, "\(others.all)")
            // The server closes a connection after 15 seconds without a request that it reads.
            #expect(lines.allSatisfy { $0.first == "200" && Double($0.last ?? "") ?? 99 < 10 }, "\(others.all)")
        }
    }
}
