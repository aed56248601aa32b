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
            try becomes { try system.machine.counted() == number }
        }

        /// i3lock on a display of its own, which stays as it is when the locker ends while xdotool types.
        private func i3lock(
            _ system: AgentMachine
        ) throws -> (display: Background, locker: Background, environment: [String: String]) {
            let options = ["-screen", "0", "320x240x24", "-ac", "-nolisten", "tcp", "-noreset"]
            let display = try Background(["/usr/bin/Xvfb", "-displayfd", "1"] + options)
            let environment = ["DISPLAY": ":" + display.line(), "HOME": "/"]
            let locker = try Background(
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
            for _ in 1...30 where locker.isRunning {
                try type("key", "Escape")
                try type("type", "--delay", "50", "4962")
                try type("key", "Return")
                becomes(seconds: 4) { !locker.isRunning }
            }
            #expect(!locker.isRunning && locker.status() == 0)
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
            let desktop = try Background(
                daemon.launcher + ["/usr/bin/sway", "-c", system.machine.directory + "/sway.conf"], environment: own)
            becomes { access(place + "/wayland-1", F_OK) == 0 }
            try #require(desktop.isRunning)
            let locker = try Background(
                try system.installed(as: daemon, ["/usr/bin/swaylock", "-c", "000000"]), environment: environment)
            // Each call is a keyboard with a layout of its own, which the locker has to learn first.
            func type(_ pin: String) throws {
                let keys = ["-s", "4000", "-d", "60", "-k", "Escape", pin, "-k", "Return", "-s", "2000"]
                #expect(
                    try Background(daemon.launcher + ["/usr/bin/wtype"] + keys, environment: environment).status() == 0)
            }
            for _ in 1...2 where try system.machine.counted() == 0 {
                try type("4963")
                try becomes(seconds: 30) { try system.machine.counted() > 0 }
            }
            #expect(try system.machine.counted() > 0)
            #expect(locker.isRunning)
            for _ in 1...10 where locker.isRunning {
                try type("4962")
                becomes(seconds: 10) { !locker.isRunning }
            }
            #expect(!locker.isRunning && locker.status() == 0)
            #expect(try system.machine.counted() == 0)
            withExtendedLifetime(desktop) {}
        }
    }
}
