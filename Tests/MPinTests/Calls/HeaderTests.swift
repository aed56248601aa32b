// SPDX-License-Identifier: Apache-2.0
import Foundation
import MPin
import TestPeers
import Testing

/// The headers of requests: those of the protocol, an application's, and a platform's name for the client.
@Suite struct HeaderTests {
    /// The headers of each request to come.
    private final class Log: @unchecked Sendable {
        private let lock = NSLock()
        private var entries: [(String, [String])] = []

        func add(_ exchange: Exchange) { lock.withLock { entries.append((exchange.method, exchange.headers)) } }

        func all() -> [(method: String, headers: [String])] { lock.withLock { entries } }
    }

    private func watch(_ fixture: Fixture) -> Log {
        let log = Log()
        let reference = fixture.reference
        fixture.server.answer {
            log.add($0)
            return reference.answer($0)
        }
        return log
    }

    @Test func `bodies are announced`() throws {
        let fixture = try Fixture()
        let log = watch(fixture)
        let (client, user) = try fixture.enrolled()
        try client.logIn(user, "4962")
        for (method, headers) in log.all() {
            let types = headers.filter { $0.lowercased().hasPrefix("content-type:") }
            #expect(types == (method == "GET" ? [] : ["Content-Type: application/json; charset=UTF-8"]))
            #expect(!headers.contains { $0.lowercased().hasPrefix("expect:") || $0.lowercased().hasPrefix("cookie:") })
            if method != "GET" { #expect(headers.contains { $0.hasPrefix("Accept: ") }) }
        }
    }

    @Test func `an applications headers go along`() throws {
        let fixture = try Fixture()
        let log = watch(fixture)
        var options = TransportOptions()
        options.acceptsOldServer = true
        options.headers = try [("X-MIRACL-OS-Class", "linux"), ("accept", "text/html"), ("X-Empty", "")].map {
            try #require(HTTPHeader(name: $0.0, value: $0.1))
        }
        let store = try FileStore(directory: fixture.store, account: "alice", create: true)
        let client = Client(try MPinClient(store: store, options: options))
        try client.mpin.setBackend(fixture.server.url)
        try client.register(client.mpin.makeUser("alice@example.org"))
        #expect(log.all().count == 4)
        for (_, headers) in log.all() {
            #expect(headers.contains("X-MIRACL-OS-Class: linux"))
            #expect(headers.filter { $0.lowercased().hasPrefix("accept:") } == ["accept: text/html"])
            #expect(headers.contains("X-Empty:"))
        }
    }

    @Test func `a client ID goes along from then on`() throws {
        let fixture = try Fixture()
        let log = watch(fixture)
        let (client, user) = try fixture.enrolled()
        let before = log.all().count
        #expect(!log.all().contains { $0.headers.contains { $0.hasPrefix("X-MIRACL-Client-ID") } })
        try client.mpin.setClientID("first")
        try client.mpin.setClientID("second")
        try client.logIn(user, "4962")
        #expect(try status { try client.mpin.setClientID("a\r\nX-Other: b") } == .flowError)
        for (_, headers) in log.all().dropFirst(before) {
            #expect(headers.filter { $0.hasPrefix("X-MIRACL-Client-ID") } == ["X-MIRACL-Client-ID: second"])
        }
    }

    @Test(arguments: [
        ("", "a"), ("a b", "c"), ("a:", "b"), ("a", "b\r\nc: d"), ("a", "b\nc"), ("a", "b\0"), ("\u{e9}", "a"),
        ("a", "\u{e9}"), ("Host", "a"), ("content-length", "0"), ("Transfer-Encoding", "chunked"), ("Connection", "a"),
        ("Expect", "100-continue"), ("a", String(repeating: "b", count: 1025)),
        (String(repeating: "a", count: 65), "b"),
    ]) func `an invalid header is refused`(name: String, value: String) {
        #expect(HTTPHeader(name: name, value: value) == nil)
    }
}
