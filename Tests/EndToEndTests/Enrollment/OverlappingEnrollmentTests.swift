// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import Synchronization
import Testing

extension EndToEnd {
    /// Programs that enroll one account at the same time run one after the other, and none undoes another's work.
    @Suite struct OverlappingEnrollmentTests {
        /// The finished runs, from several threads.
        private final class Runs: @unchecked Sendable {
            private let lock = NSLock()
            private var runs: [Int: Result<Run, any Error>] = [:]

            func add(_ number: Int, _ run: Result<Run, any Error>) { lock.withLock { runs[number] = run } }
            func all() throws -> [Run] {
                try lock.withLock { try runs.sorted { $0.key < $1.key }.map { try $0.value.get() } }
            }
        }

        /// Runs `mpin-enroll` several times at once. The server answers after some seconds, when all have started.
        private func together(_ machine: Machine, _ calls: [[String]], after pause: Double = 1) throws -> [Run] {
            let runs = Runs()
            machine.pause()
            DispatchQueue.global().asyncAfter(deadline: .now() + pause) { machine.resume() }
            DispatchQueue.concurrentPerform(iterations: calls.count) { number in
                runs.add(number, Result { try Run(Products.enroll, calls[number]) })
            }
            return try runs.all()
        }

        private func call(_ machine: Machine, _ command: String, _ code: String) throws -> [String] {
            let flag = command == "recover" ? "--new-pin-file" : "--pin-file"
            return machine.call(command) + ["--timeout", "30", "--no-input", "--code", code, flag]
                + [try machine.pinFile("4962")]
        }

        /// The second program waits for the first one longer than the default of `--timeout`.
        @Test func `two enrollments with the same code`() throws {
            let machine = try Machine()
            let code = try machine.invitation()
            let calls = try [call(machine, "register", code), call(machine, "register", code)]
            let runs = try together(machine, calls, after: 7)
            #expect(runs.map(\.status).sorted() == [0, 79], "\(runs.map(\.all))")
            #expect(runs.contains { $0.errors.contains("is already enrolled at") }, "\(runs.map(\.all))")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test func `two enrollments with a code each, of which the second is not used`() throws {
            let machine = try Machine()
            let codes = try [machine.invitation(), machine.invitation()]
            let runs = try together(machine, codes.map { try call(machine, "register", $0) })
            #expect(runs.map(\.status).sorted() == [0, 79], "\(runs.map(\.all))")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
            let late = try #require(runs.firstIndex { $0.status == 79 })
            try #require(machine.enroll("remove", "--yes", pin: "4962").status == 0)
            let again = try machine.enroll("register", "--code", codes[late], pin: "4962")
            #expect(again.status == 0, "\(again.all)")
        }

        @Test func `a registration during a recovery`() throws {
            let machine = try Machine.enrolled()
            let codes = try [machine.invitation(), machine.invitation()]
            let runs = try together(
                machine, [call(machine, "recover", codes[0]), call(machine, "register", codes[1])])
            #expect(runs.map(\.status) == [0, 79], "\(runs.map(\.all))")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
        }

        @Test(arguments: ["register", "recover", "remove"])
        func `a program that waits too long names the process, and nothing changes`(command: String) throws {
            let machine = try Machine.enrolled()
            let identity = command == "register" ? "bob" : "alice"
            let code = try machine.invitation(for: identity)
            let options = command == "remove" ? ["--yes"] : ["--code", code]
            let call =
                machine.call(command, identity: identity) + options
                + ["--json", "--pin-file", try machine.pinFile("4962")]
            let enrolling = machine.store + "/users/\(machine.account).enrolling"
            let busy = try Run(Launcher.locking(enrolling) + [Products.enroll] + call + ["--timeout", "5"])
            #expect(busy.status == 75 && busy.errorCode == "STORAGE_ERROR", "\(busy.all)")
            #expect(
                busy.all.contains("Another mpin-enroll is changing the enrollment of \(machine.account)"), "\(busy.all)"
            )
            #expect(busy.all.contains("(process ") && busy.all.contains("Wait for it"), "\(busy.all)")
            #expect(try machine.enroll("test", pin: "4962").status == 0)
            let free = try Run(Products.enroll, call)
            #expect(free.status == 0, "\(free.all)")
        }

        @Test func `a program that waited for a removed file waits for its successor`() throws {
            let path = "/tmp/mpin-lock-\(UUID().uuidString.prefix(8))"
            try #require(mkdir(path, 0o700) == 0 && mkdir(path + "/next", 0o700) == 0)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let directory = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            let other = open(path + "/next", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            defer { [directory, other].forEach { close($0) } }
            func take(_ directory: Int32) -> Int32 {
                mpin_lock_take(directory, "alice.lock", 1, mpin_monotonic_ns(), 0)
            }
            let first = take(directory)
            #expect(first >= 0)
            let waited = Mutex<Int32?>(nil)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                waited.withLock {
                    $0 = mpin_lock_take(directory, "alice.lock", 1, mpin_monotonic_ns() + 4_000_000_000, 0)
                }
                done.signal()
            }
            usleep(1_500_000)
            // The successor is held before the program that waits can see it.
            let second = take(other)
            #expect(second >= 0)
            #expect(rename(path + "/next/alice.lock", path + "/alice.lock") == 0)
            mpin_lock_release(first)
            #expect(done.wait(timeout: .now() + 120) == .success)
            // The second one is held all the time.
            #expect(waited.withLock { $0 } == -ETIMEDOUT)
            mpin_lock_release(second)
            let third = take(directory)
            #expect(third >= 0)
            mpin_lock_release(third)
        }
    }
}
