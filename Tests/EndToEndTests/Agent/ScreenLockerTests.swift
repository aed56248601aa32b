// SPDX-License-Identifier: Apache-2.0
import Foundation
import Glibc
import Testing

extension EndToEnd {
    /// Real screen lockers, which run as the user, and a user who types.
    @Suite(.enabled(if: PrivateSystem.isPossible)) struct ScreenLockerTests {
        private let daemon = AgentMachine.daemon

        private static func has(_ programs: String...) -> Bool {
            let missing = programs.filter { access("/usr/bin/" + $0, X_OK) != 0 }
            if !missing.isEmpty { print("note: \(missing.joined(separator: ", ")) is missing; the locker is left out") }
            return missing.isEmpty
        }
        private static let hasI3lock = has("i3lock", "Xvfb", "xdotool")
        private static let hasSwaylock = has("swaylock", "sway", "wtype")

        private func system(for locker: String) throws -> AgentMachine {
            let system = try AgentMachine()
            let stack = "auth required \(Products.module) method=pin\naccount required pam_permit.so\n"
            try Data(stack.utf8).write(to: URL(fileURLWithPath: system.machine.directory + "/pam.d/" + locker))
            return system
        }

        /// Waits until the server has counted as many wrong PINs.
        private func counts(_ number: Int, _ system: AgentMachine) throws -> Bool {
            for _ in 0..<150 {
                if try system.machine.counted() == number { return true }
                usleep(200_000)
            }
            return false
        }

        /// i3lock on a display of its own.
        private func i3lock(
            _ system: AgentMachine
        ) throws -> (display: Program, locker: Program, environment: [String: String]) {
            let display = try Program(
                ["/usr/bin/Xvfb", "-displayfd", "1", "-screen", "0", "320x240x24", "-ac", "-nolisten", "tcp"])
            let environment = ["DISPLAY": ":" + display.line(), "HOME": "/"]
            let locker = try Program(
                try system.installed(as: daemon, ["/usr/bin/i3lock", "--nofork", "-c", "000000"]),
                environment: environment)
            return (display, locker, environment)
        }

        @Test(.enabled(if: hasI3lock)) func `i3lock unlocks with the PIN alone`() throws {
            let system = try system(for: "i3lock")
            let (display, locker, environment) = try i3lock(system)
            func type(_ arguments: String...) throws {
                try #require(Run("/usr/bin/xdotool", arguments, environment: environment).status == 0)
            }
            try type("search", "--sync", "--onlyvisible", "--class", "i3lock")
            try type("type", "--delay", "50", "4963")
            try type("key", "Return")
            #expect(try counts(1, system))
            #expect(locker.isRunning)
            // What is typed while it says that the PIN was wrong may be thrown away.
            for _ in 1...10 where locker.isRunning {
                try type("key", "Escape")
                try type("type", "--delay", "50", "4962")
                try type("key", "Return")
                _ = locker.ends(within: 4)
            }
            #expect(locker.ends(within: 5) && locker.status == 0)
            #expect(try system.machine.counted() == 0)
            withExtendedLifetime(display) {}
        }

        /// i3lock answers every prompt with what was typed for the first one.
        @Test(.enabled(if: hasI3lock)) func `a locker does not spend the last try`() throws {
            let system = try system(for: "i3lock")
            #expect(try system.codes(as: daemon, pins: "4963", "4963") == ["PAM_AUTH_ERR", "PAM_AUTH_ERR"])
            let (display, locker, environment) = try i3lock(system)
            for keys in [
                ["search", "--sync", "--onlyvisible", "--class", "i3lock"], ["type", "4963"], ["key", "Return"],
            ] {
                try #require(Run("/usr/bin/xdotool", keys, environment: environment).status == 0)
            }
            sleep(4)
            #expect(locker.isRunning)
            #expect(try system.machine.counted() == 2)
            withExtendedLifetime(display) {}
        }

        @Test(.enabled(if: hasSwaylock)) func `swaylock unlocks with the PIN alone`() throws {
            let system = try system(for: "swaylock")
            let place = system.machine.directory + "/run"
            try #require(mkdir(place, 0o700) == 0 && chown(place, daemon.uid, daemon.uid) == 0)
            try system.publish("output HEADLESS-1 resolution 320x240\n", "/sway.conf")
            let environment = [
                "XDG_RUNTIME_DIR": place, "WLR_BACKENDS": "headless", "WLR_LIBINPUT_NO_DEVICES": "1",
                "WLR_RENDERER": "pixman", "WAYLAND_DISPLAY": "wayland-1", "HOME": "/",
            ]
            var own = environment
            own["WAYLAND_DISPLAY"] = nil
            let desktop = try Program(
                daemon.launcher + ["/usr/bin/sway", "-c", system.machine.directory + "/sway.conf"], environment: own)
            for _ in 0..<150 where access(place + "/wayland-1", F_OK) != 0 { usleep(200_000) }
            try #require(desktop.isRunning)
            let locker = try Program(
                try system.installed(as: daemon, ["/usr/bin/swaylock", "-c", "000000"]), environment: environment)
            // One keyboard for both: each has a layout of its own, which the locker has to learn first.
            let typist = try Program(
                daemon.launcher + [
                    "/usr/bin/wtype", "-s", "4000", "-d", "60", "4963", "-k", "Return", "-s", "12000", "-k", "Escape",
                    "4962", "-k", "Return", "-s", "10000", "-k", "Escape", "4962", "-k", "Return", "-s", "2000",
                ], environment: environment)
            #expect(try counts(1, system))
            #expect(locker.isRunning)
            #expect(locker.ends(within: 40) && locker.status == 0)
            #expect(try system.machine.counted() == 0)
            withExtendedLifetime((desktop, typist)) {}
        }

        /// A program that runs beside the test, and ends with it.
        private final class Program {
            private let process = Process()
            private let output = Run.pipe()

            init(_ call: [String], environment: [String: String] = [:]) throws {
                process.executableURL = URL(fileURLWithPath: call[0])
                process.arguments = Array(call.dropFirst())
                process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
                process.standardInput = FileHandle.nullDevice
                process.standardOutput = output
                process.standardError = FileHandle.nullDevice
                try process.run()
            }

            deinit {
                if process.isRunning { kill(process.processIdentifier, SIGKILL) }
                process.waitUntilExit()
            }

            var isRunning: Bool { process.isRunning }
            var status: Int32 { process.terminationStatus }

            /// What it writes first.
            func line() -> String {
                String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
                    .trimmingCharacters(in: .whitespacesAndNewlines)
            }

            func ends(within seconds: Double) -> Bool {
                let end = Date().addingTimeInterval(seconds)
                while process.isRunning && Date() < end { usleep(50_000) }
                return !process.isRunning
            }
        }
    }
}
