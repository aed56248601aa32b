// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A program that has run, and what the kernel says it cost.
struct Child {
    let status: Int32
    let output: String
    let errors: String
    /// Milliseconds.
    let wall: Double
    let processor: Double
    /// Kilobytes.
    let peakMemory: Int

    /// Runs a program to its end. It is killed after `seconds`.
    ///
    /// - Parameters:
    ///   - runner: the small program that starts it and asks the kernel what it cost.
    ///   - environment: all of it; nothing is inherited.
    init(
        by runner: String, _ program: String, _ arguments: [String], input: String = "",
        environment: [String: String] = [:],
        seconds: Double = 60
    ) throws {
        // Files instead of pipes: nothing has to read them while the program runs.
        let base = NSTemporaryDirectory() + "mpin-bench-\(getpid())-child"
        let (source, out, err, report) = (base + ".in", base + ".out", base + ".err", base + ".cost")
        try Data(input.utf8).write(to: URL(fileURLWithPath: source))
        defer { for name in [source, out, err, report] { unlink(name) } }

        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, source, O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, out, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        posix_spawn_file_actions_addopen(&actions, 2, err, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        let standard = ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C"]
        var words = ([runner, report, program] + arguments).map { strdup($0) } + [nil]
        var variables =
            standard.merging(environment) { $1 }.sorted { $0.key < $1.key }.map { strdup("\($0)=\($1)") } + [nil]
        defer { for word in words + variables { free(word) } }

        var child: pid_t = 0
        guard posix_spawn(&child, runner, &actions, nil, &words, &variables) == 0 else {
            throw Failure("cannot run \(runner)")
        }
        let process = child
        let killer = DispatchWorkItem { kill(process, SIGKILL) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds, execute: killer)
        var code: Int32 = 0
        while waitpid(child, &code, 0) < 0 && errno == EINTR {}
        killer.cancel()
        output = (try? String(decoding: Data(contentsOf: URL(fileURLWithPath: out)), as: UTF8.self)) ?? ""
        errors = (try? String(decoding: Data(contentsOf: URL(fileURLWithPath: err)), as: UTF8.self)) ?? ""
        let cost = (try? String(contentsOfFile: report, encoding: .utf8))?.split { $0 == " " || $0 == "\n" } ?? []
        guard code == 0, cost.count == 4 else {
            throw Failure("\(program) did not end\(errors.isEmpty ? "" : ": ")\(errors)")
        }
        status = Int32(cost[0]) ?? -1
        (wall, processor) = (Double(cost[1]) ?? 0, Double(cost[2]) ?? 0)
        peakMemory = Int(cost[3]) ?? 0
    }
}
