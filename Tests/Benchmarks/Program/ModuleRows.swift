// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The cost of the module for a host before the user types.
enum ModuleRows {
    static func measure(_ site: Site, _ report: inout Report) throws {
        let places = site.places
        report.rows.append(Row("module", "size, stripped", try megabytes(places.module), "MB", .atMost(0.2)))

        let names = ["pam_permit.so", "pam_unix.so", "pam_krb5.so", "pam_u2f.so", "pam_duo.so"]
        let others = names.compactMap { name in places.debianModule(name).map { (name, $0) } }
        let minima = try loads([places.module] + others.map(\.1), places)
        report.rows.append(
            Row(
                "module", "dlopen, min", minima[0] / 1_000, "ms", .atMost(0.6),
                beside: zip(others, minima.dropFirst())
                    .map { "\($0.0.dropLast(3)) \(Text.number($1 / 1_000))" }.joined(separator: ", ")))

        // The store is there, and this account has nothing in it.
        try site.service("stranger", site.module(store: "empty"))
        try site.service("pam_permit", "pam_permit.so")
        let ours = try Trace(site, "stranger", typing: "")
        let floor = try Trace(site, "pam_permit", typing: "")
        let extra = ours.libraries.subtracting(floor.libraries).subtracting(["pam_mpin.so"])
        report.rows.append(
            Row(
                "module", "not enrolled: extra libraries", Double(extra.count), "", .atMost(0),
                beside: extra.sorted().joined(separator: ", ")))
        report.rows.append(
            Row(
                "module", "not enrolled: syscalls over pam_permit", Double(ours.calls - floor.calls), "", .atMost(120),
                beside: "\(ours.calls) and \(floor.calls)"))
    }

    private static func megabytes(_ path: String) throws -> Double {
        Double(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0) / 1e6
    }

    /// The fastest of many loads of each object, in microseconds, each in a process of its own.
    private static func loads(_ objects: [String], _ places: Places, rounds: Int = 60) throws -> [Double] {
        var minima = objects.map { _ in Double.infinity }
        for _ in 0..<rounds {
            for index in objects.indices.shuffled() {
                let run = try places.run(places.loader, [objects[index]])
                guard let time = Double(run.output.split(separator: "\n").first ?? "") else {
                    throw Failure("\(objects[index]) cannot be opened")
                }
                minima[index] = min(minima[index], time)
            }
        }
        return minima
    }
}
