// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@Suite(.serialized) struct LogTests {
    private func objects(_ server: RunningServer) throws -> [[String: Any]] {
        try server.logText.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any], "\($0)")
        }
    }

    @Test func `each line of JSON has time, level and message, and what belongs to it`() throws {
        let server = try RunningServer(configuration: "log_format = json\n")
        try server.reload("log_format = json\nno\"nsense\u{7}\n")
        #expect(becomes { server.logText.contains("keeping the previous configuration") })
        let lines = try objects(server)
        let line = try #require(
            lines.first { ($0["message"] as? String)?.contains("keeping the previous configuration") == true })
        #expect(line["level"] as? String == "error")
        #expect((line["message"] as? String)?.contains("server.conf:2") == true)
        for line in lines {
            let time = line["time"] as? String ?? ""
            #expect(time.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/) != nil, "\(time)")
        }
        // A file that others can write is logged with a hint.
        #expect(chmod(server.directory + "/server.conf", 0o666) == 0)
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("chmod go-w") })
        #expect(try objects(server).contains { ($0["hint"] as? String)?.contains("chmod go-w") == true })
    }

    @Test func `the format follows a reload`() throws {
        let server = try RunningServer()
        try server.reload("log_format = json\n")
        #expect(
            becomes {
                server.logText.contains("\"message\":\"reloaded the configuration; now in effect: log_format\"")
            })
        try server.reload("")
        let line = "notice mpin-server: [MPinServer] reloaded the configuration; now in effect: log_format"
        #expect(becomes { server.logText.contains(line) })
    }

    @Test(arguments: [true, false])
    func `only journald gets the priority of each line`(isJournal: Bool) throws {
        let server = try RunningServer(starts: false)
        let descriptor = isJournal ? "2" : "0"
        let script = "JOURNAL_STREAM=$(stat -L -c %d:%i /proc/self/fd/\(descriptor)) exec \"$@\""
        try server.start(by: ["/bin/bash", "-c", script, "bash"])
        try server.reload("nonsense\n")
        #expect(becomes { server.logText.contains("keeping the previous configuration") })
        try server.reload("max_connections = 99\n")
        #expect(becomes { server.logText.contains("take effect after a restart") })
        // A value of several words is one value.
        #expect(chmod(server.directory + "/server.conf", 0o666) == 0)
        kill(server.processIdentifier, SIGHUP)
        #expect(becomes { server.logText.contains("hint=\"") && server.logText.contains("chmod go-w") })
        let priorities = server.logText.split(separator: "\n").map { $0.prefix(3) }
        #expect(
            isJournal
                ? priorities.contains("<3>") && priorities.contains("<4>") : !priorities.contains { $0.hasPrefix("<") })
        if isJournal { #expect(priorities.allSatisfy { $0.hasPrefix("<") }) }
    }
}
