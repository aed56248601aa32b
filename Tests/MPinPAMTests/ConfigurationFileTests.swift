// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import MPinConfiguration
import TestPeers
import Testing

/// Configurations as they lie on disk, and damaged in every way.
struct ConfigurationFileTests {
    static let text = """
        # our machine
        [server]
        server = unix:/run/mpin/server.sock
        timeout = 7   # seconds

        [login]
        prompt = "PIN (not the password): "
        user_map = %u@example.org
        [remote]
        local_services = login vlock
        """

    static func parse(_ text: [UInt8], _ arguments: [String] = []) throws -> Configuration {
        try Configuration.parse(text.span, path: "/etc/mpin/mpin.conf", arguments: arguments)
    }

    @Test
    func `values are read with their sources`() throws {
        let configuration = try Self.parse(Array(Self.text.utf8), ["timeout=9", "debug"])
        #expect(configuration.server == "unix:/run/mpin/server.sock")
        #expect(configuration.timeoutSeconds == 9)
        #expect(configuration.transport.timeoutMilliseconds == 9000)
        #expect(configuration.prompt == "PIN (not the password): ")
        #expect(configuration.userMap?.identity(for: "bob") == "bob@example.org")
        #expect(configuration.localServices == ["login", "vlock"])
        #expect(configuration.debug)
        guard case .argument = configuration.origin(of: .timeout),
            case .file(line: 3) = configuration.origin(of: .server),
            case .standard = configuration.origin(of: .store)
        else {
            Issue.record("origins")
            return
        }
    }

    @Test func `a fingerprint has all its digits`() throws {
        let digits = String(repeating: "3F", count: 32)
        for good in [digits, digits.lowercased(), digits.prefix(8) + "-" + digits.dropFirst(8)] {
            #expect(throws: Never.self) { try Self.parse([], ["server_key=" + good]) }
        }
        for bad in ["", "3f", digits + "3", String(digits.dropLast()) + "g", "sha256//" + digits] {
            #expect(throws: ConfigurationError.self) { try Self.parse([], ["server_key=" + bad]) }
        }
    }

    @Test(arguments: [
        "", "sha256//", "sha256//AAAA=", "/etc/ssl/key.pem",
    ])
    func `a pin that libcurl would read as a file, or not at all, is refused`(pin: String) {
        #expect(throws: ConfigurationError.self) { try Self.parse([], ["tls_pin=" + pin]) }
    }

    @Test(arguments: ConfigurationOption.allCases)
    func `an option's default is shown as it is written`(_ option: ConfigurationOption) throws {
        #expect(Configuration().text(of: option) == "\(option.row.standard)")
    }

    @Test
    func `neither a missing last newline nor one of another kind changes anything`() throws {
        for text in [Self.text, Self.text + "\n", Self.text + "\n\n", Self.text.replacing("\n", with: "\r\n")] {
            #expect(try Self.parse(Array(text.utf8)).timeoutSeconds == 7)
        }
    }

    @Test
    func `no damage stops the process, and accepted files are no less strict`() {
        var random = Noise(seed: 3)
        let start = ContinuousClock.now
        var refused = 0, runs = 0
        // On a busy machine, the time alone can be over after a few runs.
        while runs < 1_000 || start.duration(to: .now) < .milliseconds(300) {
            runs += 1
            var text = Array(Self.text.utf8)
            for _ in 0...Int(random.next() % 3) { random.damage(&text) }
            do {
                let configuration = try Self.parse(text)
                #expect(1...120 ~= configuration.timeoutSeconds)
                #expect(configuration.server.map { Backend($0) != nil } ?? true)
            } catch { refused += 1 }
        }
        #expect(refused > 100)
    }

    @Test
    func `files that other users could write are problems`() throws {
        let directory = URL(filePath: "/tmp/mpin-configuration-\(UInt32.random(in: 0...UInt32.max))")
        try FileManager.default.createDirectory(
            at: directory, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(at: directory) }
        let file = directory.appending(path: "mpin.conf")
        func load(_ path: String) throws -> Configuration { try Configuration.load(arguments: ["conf=" + path]) }
        func write(_ text: String, mode: Int) throws {
            try Data(text.utf8).write(to: file)
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
        }

        try write(Self.text, mode: 0o644)
        #expect(try load(file.path).timeoutSeconds == 7)
        try write("", mode: 0o600)
        #expect(try load(file.path).timeoutSeconds == 5)
        for mode in [0o664, 0o646, 0o666] {
            try write(Self.text, mode: mode)
            #expect(throws: ConfigurationError.self, "\(mode)") { try load(file.path) }
        }
        try write(String(repeating: "#", count: 70_000), mode: 0o600)
        #expect(throws: ConfigurationError.self) { try load(file.path) }

        let link = directory.appending(path: "link.conf")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        let pipe = directory.appending(path: "pipe.conf")
        let made = unsafe mkfifo(pipe.path, 0o600)
        #expect(made == 0)
        for path in [link.path, pipe.path, directory.path, directory.path + "/none.conf", "/dev/null"] {
            #expect(throws: ConfigurationError.self, "\(path)") { try load(path) }
        }
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: directory.path)
        try write(Self.text, mode: 0o600)
        #expect(throws: ConfigurationError.self) { try load(file.path) }
    }

    @Test(arguments: [("\"PIN #1\"  # ours", "PIN #1"), ("PIN #1#2", "PIN"), ("\t\"#\"", "#"), ("#1#", nil)])
    func `a hash is a comment behind white space`(_ value: String, _ prompt: String?) throws {
        // An empty prompt is refused as one.
        let text = Array("# first#\n[login] #\nprompt = \(value)".utf8)
        guard let prompt else {
            let error = #expect(throws: ConfigurationError.self) { try Self.parse(text) }
            #expect(error?.message == "/etc/mpin/mpin.conf line 3: prompt is empty or longer than 200 bytes")
            return
        }
        #expect(try Self.parse(text).prompt == prompt)
    }

    @Test(arguments: ["PIN#1", "PIN#", "a b#c # d", "x#\"y\""])
    func `a value with a hash needs quotes`(_ value: String) throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.parse(Array("prompt = \(value)".utf8)) }
        #expect(error?.message == "/etc/mpin/mpin.conf line 1: a value with # needs double quotes")
    }

    @Test
    func `a problem names its place and repeats no input`() throws {
        let error = #expect(throws: ConfigurationError.self) { try Self.parse(Array("debug = no\nroot:secret:0".utf8)) }
        #expect(error?.message == "/etc/mpin/mpin.conf line 2: is neither [section] nor key = value")
        let argument = #expect(throws: ConfigurationError.self) { try Self.parse([], ["store=/a", "secret"]) }
        #expect(argument?.message == "argument 2: unknown option")
    }

    @Test(arguments: [
        ("conf=mpin.conf", 1, "conf must be an absolute path"), ("store", 1, "store needs a value"),
        ("server=", 1, "server must be https://HOST or unix:/PATH"), ("debug=1", 1, "debug must be yes or no"),
        ("server=http://example.org", 1, "server must be https://HOST or unix:/PATH"),
        ("debug debug", 2, "debug is set twice"), ("timeout=x", 1, "timeout must be between 1 and 120 seconds"),
    ])
    func `a wrong argument is named by its number`(_ arguments: String, _ number: Int, _ problem: String) {
        let error = #expect(throws: ConfigurationError.self) {
            try Self.parse([], arguments.split(separator: " ").map(String.init))
        }
        #expect(error?.message == "argument \(number): \(problem)")
    }

    private static let wrongLines: [(problem: String, lines: [String])] = [
        ("is neither [section] nor key = value", ["prompt = \"PIN:\" x", "prompt = \"PIN:", "timeout"]),
        ("use_first_pass is allowed only as an argument", ["use_first_pass = yes"]), ("unknown key", ["Timeout = 5"]),
        (
            "server must be https://HOST or unix:/PATH",
            ["server = https://a@example.org", "server = http://example.org", "server = example.org"]
        ),
        ("prompt is empty or longer than 200 bytes", ["prompt ="]),
        ("guard_last must be yes or no", ["guard_last = maybe"]),
        (
            "user_map must have %u once, and %% for each other %",
            ["%u%", "alice@example.org", "%h@example.org", "%u@%u.example.org"].map { "user_map = " + $0 }
        ),
        ("method must be pin", ["method = password"]), ("tries must be between 1 and 3", ["tries = 4", "tries = 0"]),
        ("unavailable_in_setuid must be refuse or report", ["unavailable_in_setuid = ignore"]),
        ("store must be an absolute path", ["store = var/lib/mpin", "store = /var/lib/../tmp"]),
        ("local_services must be PAM service names", ["local_services = a/b"]),
        ("timeout must be between 1 and 120 seconds", ["121", "-1", "soon", "0"].map { "timeout = " + $0 }),
    ]

    @Test(arguments: wrongLines)
    func `a wrong line is named by its number`(_ problem: String, _ lines: [String]) {
        for line in lines {
            let error = #expect(throws: ConfigurationError.self) { try Self.parse(Array(line.utf8)) }
            #expect(error?.message == "/etc/mpin/mpin.conf line 1: \(problem)", "\(line)")
        }
    }
}
