// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

/// A program that logs people in and looks at itself meanwhile.
enum Probe {
    /// As it was built together with these tests.
    static let program: String =
        URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
        .deletingLastPathComponent().path + "/pam-probe"

    /// The module's needs that no other host has: the library of a sanitizer; see scripts/sanitize.
    static let preload: [String: String] =
        ProcessInfo.processInfo.environment["MPIN_PROBE_PRELOAD"].map { ["LD_PRELOAD": $0] } ?? [:]
}

extension Machine {
    /// A file with a PIN for the probe. Its name must not contain the PIN, for which tests scan the memory.
    func pinFile(_ pin: String) throws -> String {
        let name = "/pin-" + pin.utf8.map { String(0xFF - $0, radix: 16) }.joined()
        if !FileManager.default.fileExists(atPath: directory + name) { try write(pin, to: name) }
        return directory + name
    }

    /// Runs the probe.
    ///
    /// - Parameters:
    ///   - value: the argument before the PINs, for commands that need one.
    ///   - program: another copy of it.
    func probe(
        _ command: String, _ value: String? = nil, pins: [String], service: String = "mpin", user: String? = nil,
        program: String = Probe.program, by launcher: [String] = [], environment: [String: String] = [:],
        seconds: Double = 600
    ) throws -> Run {
        let call =
            launcher + [program, command, directory + "/pam.d", service, user ?? account] + (value.map { [$0] } ?? [])
            + (try pins.map { try pinFile($0) })
        return try Run(
            call[0], Array(call.dropFirst()), environment: environment.merging(Probe.preload) { given, _ in given },
            seconds: seconds)
    }

    /// A set-uid copy of the probe, and the command that starts it as an unprivileged user.
    func setUserIDProbe() throws -> (program: String, launcher: [String]) {
        let copy = directory + "/pam-probe"
        if !FileManager.default.fileExists(atPath: copy) {
            try FileManager.default.copyItem(atPath: Probe.program, toPath: copy)
        }
        try #require(chown(copy, 0, 0) == 0 && chmod(copy, 0o4755) == 0)
        return (copy, Launcher.nobody)
    }
}

/// Whether tests that take long are to be short.
var isFast: Bool { ProcessInfo.processInfo.environment["MPIN_FAST"] == "yes" }

/// Whether this process is root's; prints once that it is not.
let isRoot: Bool = {
    if getuid() == 0 { return true }
    print("note: the tests that need root are left out")
    return false
}()
