// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// The files of docs/monitoring, with the metrics of a real server and with promtool, as `scripts/test` unpacks it from
/// Debian.
@Suite(.serialized) struct MonitoringTests {
    private static let promtool = FileManager.default.currentDirectoryPath + "/.build/debian/usr/bin/promtool"

    /// A server with everything that has a metric: a certificate and a backup.
    private func metrics() throws -> String {
        let server = try RunningServer(starts: false)
        let certificate = try Certificate(server.directory + "/tls", days: 9)
        let backup = server.directory + "/backup"
        #expect(try server.command("backup", backup).code == 0)
        let configuration =
            "tls_cert = \(certificate.file)\ntls_key = \(certificate.key)\nmetrics_listen = 127.0.0.1:0\n"
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: server.directory + "/server.conf"))
        try server.start(listen: ["unix:\(server.socket)", "127.0.0.2:0"])
        #expect(try server.peer.get("/").status == 200)
        let port = SocketPeer(port: try MetricsPortTests.port(of: server))
        // The audit log is searched for the backup after the start.
        #expect(try becomes { try port.get("/metrics").text.contains("mpin_last_backup_timestamp_seconds") })
        let text = try port.get("/metrics").text
        func age(_ name: Substring) throws -> Double {
            let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") })
            return try Date().timeIntervalSince1970 - #require(Double(line.dropFirst(name.count + 1)))
        }
        #expect(-9 * 86_400...(-8) * 86_400 ~= (try age("mpin_certificate_expiry_timestamp_seconds")))
        #expect(-1...3_600 ~= (try age("mpin_last_backup_timestamp_seconds")))
        return text
    }

    private func names(in text: String) -> Set<String> { Set(text.matches(of: /mpin_[a-z_]+/).map { String($0.0) }) }

    @Test func `every metric that the files name exists, and the manual describes every metric`() throws {
        let text = try metrics()
        let samples = Set(
            text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map {
                String($0.prefix { $0 != "{" && $0 != " " })
            })
        let families = Set(text.matches(of: /TYPE (mpin_[a-z_]+)/).map { String($0.1) })
        #expect(families.count > 8)
        for file in ["rules.yml", "dashboard.json"] {
            let named = names(in: try String(contentsOfFile: "docs/monitoring/" + file, encoding: .utf8))
            #expect(named.count > 5 && named.isSubset(of: samples), "\(file): \(named.subtracting(samples))")
        }
        let manual = names(in: try String(contentsOfFile: "docs/server.md", encoding: .utf8))
        #expect(manual == families, "\(manual.symmetricDifference(families))")
        let dashboard = try Data(contentsOf: URL(fileURLWithPath: "docs/monitoring/dashboard.json"))
        #expect(try (JSONSerialization.jsonObject(with: dashboard) as? [String: Any])?["panels"] is [Any])

        guard FileManager.default.isExecutableFile(atPath: Self.promtool) else {
            print("note: metrics and alert rules are not checked by promtool; scripts/test unpacks it")
            return
        }
        let checked = try Program.run(at: Self.promtool, ["check", "metrics"], input: text)
        #expect(checked.code == 0 && checked.errors.isEmpty, "\(checked)")
        for arguments in [
            ["check", "rules", "docs/monitoring/rules.yml"], ["test", "rules", "Tests/Monitoring/rules.yml"],
        ] {
            let run = try Program.run(at: Self.promtool, arguments)
            #expect(run.code == 0, "\(run)")
        }
    }
}
