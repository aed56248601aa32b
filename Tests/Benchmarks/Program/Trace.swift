// SPDX-License-Identifier: Apache-2.0
import Foundation

/// What one run of pamtester asked the kernel for.
struct Trace {
    let calls: Int
    /// Libraries that were found and opened, by name.
    let libraries: Set<String>
    /// HTTP requests and new connections after the last byte of the PIN was read.
    let requests: Int
    let connections: Int

    init(_ site: Site, _ service: String, typing: String, environment: [String: String] = [:]) throws {
        let log = site.path("strace.log")
        let run = try site.places.run(
            "/usr/bin/strace",
            [
                "-f", "-s", "80", "-E", "LD_PRELOAD=" + site.places.preload, "-o", log, "/usr/bin/pamtester", service,
                site.account, "authenticate",
            ], input: typing, environment: site.environment(environment).filter { $0.key != "BENCH_PRELOAD" })
        guard let text = try? String(contentsOfFile: log, encoding: .utf8) else {
            throw Failure("strace: \(run.errors)")
        }
        var calls = 0
        var libraries: Set<String> = []
        var requests = 0, connections = 0
        for line in text.split(separator: "\n") {
            // "PID call(...) = result"; an interrupted call has a second line, a signal or an exit is no call.
            let call = line.drop { $0 != " " }.drop { $0 == " " }
            guard let first = call.first, first.isLetter || first == "_" else { continue }
            calls += 1
            if call.hasPrefix("openat("), !call.contains(" = -1 "), let name = Trace.library(call) {
                libraries.insert(name)
            }
            if call.hasPrefix("read(0,") { (requests, connections) = (0, 0) }
            if call.hasPrefix("connect("), !call.contains(" = -1 ENOENT") { connections += 1 }
            if call.contains("\"POST /") || call.contains("\"GET /") || call.contains("\"PUT /") { requests += 1 }
        }
        (self.calls, self.libraries, self.requests, self.connections) = (calls, libraries, requests, connections)
    }

    private static func library(_ call: Substring) -> String? {
        let path = call.split(separator: "\"").dropFirst().first.map(String.init) ?? ""
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return name.hasSuffix(".so") || name.contains(".so.") ? name : nil
    }
}
