// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(.serialized) struct NotificationTests {
    private func monotonic() -> Int64 {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1_000
    }

    @Test(arguments: [false, true])
    func `the manager learns of start, reload and stop, in this order`(isAbstract: Bool) throws {
        let manager = try NotifySocket(isAbstract: isAbstract)
        let server = try RunningServer(environment: ["NOTIFY_SOCKET": manager.name])
        let ready = try manager.next()
        #expect(ready["READY"] == "1")
        #expect(ready["STATUS"] == "ready on unix:\(server.socket)")
        for configuration in ["service_name = x\n", "nonsense\n"] {
            try Data(configuration.utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
            let before = monotonic()
            kill(server.processIdentifier, SIGHUP)
            let reloading = try manager.next()
            #expect(reloading["RELOADING"] == "1")
            let time = try #require(Int64(reloading["MONOTONIC_USEC"] ?? ""))
            #expect(before <= time && time <= monotonic())
            #expect(try manager.next()["READY"] == "1")
        }
        #expect(server.stop() == 0)
        #expect(try manager.next()["STOPPING"] == "1")
    }

    @Test func `a server that answers gives signs of life, twice within the time of the watchdog`() throws {
        let manager = try NotifySocket()
        let environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000"]
        let server = try RunningServer(environment: environment)
        _ = try manager.next(with: "WATCHDOG")
        let start = ContinuousClock.now
        _ = try manager.next(with: "WATCHDOG")
        // Not more often than half of the time, and not at once.
        #expect(ContinuousClock.now - start > .milliseconds(500))
        #expect(server.stop() == 0)
    }

    @Test func `a watchdog that is another process's hears nothing`() throws {
        let manager = try NotifySocket()
        let environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"]
        let server = try RunningServer(environment: environment)
        for _ in 0..<50 { #expect(try server.peer.get("/rps/clientSettings").status == 200) }
        #expect(server.stop() == 0)
        #expect(try manager.next(with: "STOPPING").before.allSatisfy { $0["WATCHDOG"] == nil })
    }

    @Test func `a server that cannot read its database gives no sign of life, until it can`() throws {
        let manager = try NotifySocket()
        let environment = ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "2000000"]
        let server = try RunningServer(environment: environment)
        _ = try manager.next(with: "WATCHDOG")
        let holder = try DatabaseHolder(server.directory)
        var status = ""
        while !status.contains("no response from: database") {
            status = try manager.next(with: "STATUS").lines["STATUS"] ?? ""
        }
        for _ in 0..<2 {
            let next = try manager.next()
            #expect(next["WATCHDOG"] == nil && next["STATUS"]?.contains("database") == true)
        }
        #expect(server.logText.contains("so the watchdog is not notified"))
        try holder.end()
        _ = try manager.next(with: "WATCHDOG")
        #expect(server.stop() == 0)
    }

    @Test func `a manager that is gone, or never was, does not keep a server from serving`() throws {
        let name = try NotifySocket().name
        let server = try RunningServer(environment: ["NOTIFY_SOCKET": name, "WATCHDOG_USEC": "100000"])
        #expect(try server.peer.get("/rps/clientSettings").status == 200)
        #expect(server.stop() == 0)
    }
}

/// Another process that keeps all others from reading a database: it holds the locks that SQLite takes in the shared
/// memory of its log.
final class DatabaseHolder: Companion {
    init(_ directory: String) throws {
        let script = """
            import fcntl, sys
            file = open(sys.argv[1] + "/state/mpin.sqlite-shm", "r+b")
            # Those of all readers; see the file format of SQLite's WAL index.
            fcntl.lockf(file, fcntl.LOCK_EX, 5, 123)
            print("ready", flush=True)
            sys.stdin.read()
            """
        try super.init(["/usr/bin/python3", "-c", script, directory])
    }
}
