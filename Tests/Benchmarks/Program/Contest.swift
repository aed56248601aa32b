// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Whole runs of pamtester with one module each, in shuffled order, so that no module has the quiet minutes alone.
struct Contest {
    /// A module that takes part.
    struct Entrant {
        let name: String
        let service: String
        var typing = ""
        var environment: [String: String] = [:]
        /// What has to be put back before each run, such as the counter of a one-time password.
        var prepare: () throws -> Void = {}
    }

    struct Result: Encodable {
        let name: String
        let outcome: String
        let runs: Int
        let wallMilliseconds: Double
        let processorMilliseconds: Double
        let peakKilobytes: Int
        let calls: Int
        /// Millions of instructions in user mode, which no neighbor on the machine changes.
        let instructions: Double?
    }

    let site: Site
    let entrants: [Entrant]

    func run(rounds: Int, countsInstructions: Bool) throws -> [Result] {
        var runs: [[Child]] = entrants.map { _ in [] }
        for round in -1..<rounds {
            for index in entrants.indices.shuffled() {
                let entrant = entrants[index]
                try entrant.prepare()
                let run = try site.logIn(entrant.service, typing: entrant.typing, environment: entrant.environment)
                // The first round fills the caches.
                if round >= 0 { runs[index].append(run) }
            }
        }
        return try entrants.indices.map { index in
            let entrant = entrants[index], all = runs[index]
            try entrant.prepare()
            let trace = try Trace(
                site, entrant.service, typing: entrant.typing, environment: entrant.environment)
            try entrant.prepare()
            return Result(
                name: entrant.name, outcome: Contest.outcome(all), runs: rounds,
                wallMilliseconds: all.map(\.wall).min() ?? 0, processorMilliseconds: all.map(\.processor).min() ?? 0,
                peakKilobytes: all.map(\.peakMemory).sorted()[all.count / 2], calls: trace.calls,
                instructions: countsInstructions ? try instructions(entrant) : nil)
        }
    }

    /// Counts with callgrind; `nil` where valgrind cannot run it.
    private func instructions(_ entrant: Entrant) throws -> Double? {
        let run = try site.places.run(
            "/usr/bin/valgrind",
            [
                "--tool=callgrind", "--callgrind-out-file=/dev/null", "/usr/bin/pamtester", entrant.service,
                site.account, "authenticate",
            ], input: entrant.typing, environment: site.environment(entrant.environment))
        let line = run.errors.split(separator: "\n").first { $0.contains("Collected :") }
        return line.flatMap { Double($0.split(separator: " ").last ?? "") }.map { $0 / 1e6 }
    }

    /// The output of pamtester, which must be the same each time.
    private static func outcome(_ runs: [Child]) -> String {
        let said = Set(
            runs.map { run in
                if run.status == 0 { return "success" }
                // After the prompt, on the same line.
                guard let said = run.errors.range(of: "pamtester: ", options: .backwards) else {
                    return "status \(run.status)"
                }
                return String(run.errors[said.upperBound...].prefix { $0 != "\n" })
            })
        return said.sorted().joined(separator: " / ")
    }

    static func table(_ results: [Result]) -> String {
        let base = results.first { $0.name == "pam_permit" }
        return Text.table(
            [["module", "outcome", "wall min ms (x)", "CPU min ms (x)", "peak RSS kB", "syscalls", "M instructions"]]
                + results.map { result in
                    [
                        result.name, result.outcome,
                        times(result.wallMilliseconds, base?.wallMilliseconds),
                        times(result.processorMilliseconds, base?.processorMilliseconds),
                        String(result.peakKilobytes), String(result.calls),
                        result.instructions.map { Text.number($0) } ?? "",
                    ]
                })
    }

    private static func times(_ value: Double, _ base: Double?) -> String {
        Text.number(value) + (base.map { String(format: " (%.1f)", value / $0) } ?? "")
    }
}
