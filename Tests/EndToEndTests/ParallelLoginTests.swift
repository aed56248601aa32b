// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestPeers
import Testing

extension EndToEnd {
    /// Logins of one account by many processes at the same time.
    @Suite struct ParallelLoginTests {
        /// Starts a process with the module for each of these PINs, and waits for all of them.
        ///
        /// - Returns: the outputs, each with the process's exit status in its first line.
        private func logIn(_ machine: Machine, _ pins: [String]) throws -> [String] {
            // Long enough for a busy machine.
            try machine.service("mpin", machine.module("timeout=60"))
            let script = """
                n=0
                for pin; do
                    n=$((n + 1))
                    {
                        echo "$pin" | LD_PRELOAD=libpam_wrapper.so pamtester mpin "$ACCOUNT" authenticate >"$OUT.$n" 2>&1
                        echo $? >"$OUT.$n.status"
                    } &
                done
                wait
                """
            let output = machine.directory + "/login"
            let run = try Run(
                "/bin/sh", ["-c", script, "sh"] + pins,
                environment: [
                    "PAM_WRAPPER": "1", "PAM_WRAPPER_SERVICE_DIR": machine.directory + "/pam.d",
                    "ACCOUNT": machine.account, "OUT": output,
                ])
            #expect(run.status == 0, "\(run.all)")
            return try pins.indices.map { index in
                let name = "\(output).\(index + 1)"
                return try String(contentsOfFile: name + ".status", encoding: .utf8)
                    + String(contentsOfFile: name, encoding: .utf8)
            }
        }

        @Test(arguments: [3, 2]) func `with the right PIN all of them succeed`(maximum: Int) throws {
            let machine = try Machine.enrolled(maximum: maximum)
            let outputs = try logIn(machine, Array(repeating: "4962", count: 32))
            let failed = outputs.filter { !$0.hasPrefix("0\n") }
            #expect(failed.isEmpty, "\(failed.count): \(failed.first ?? "")")
            #expect(try machine.counted() == 0)
        }

        @Test func `with wrong PINs the last try is spared`() throws {
            let machine = try Machine.enrolled()
            let outputs = try logIn(machine, Array(repeating: "4963", count: 16))
            #expect(outputs.allSatisfy { !$0.hasPrefix("0\n") })
            #expect(try machine.counted() == 2)
        }

        @Test func `one wrong PIN among right ones keeps none of them out`() throws {
            let machine = try Machine.enrolled(maximum: 10)
            let outputs = try logIn(machine, Array(repeating: "4962", count: 15) + ["4963"])
            #expect(outputs.count { $0.hasPrefix("0\n") } == 15, "\(outputs)")
        }

        /// Any local user can fill the queue of connections; a login waits for a place in it.
        @Test func `a full queue is waited for`() throws {
            let machine = try Machine.enrolled()
            machine.pause()
            let isFull = fill(machine.socket)
            let done = DispatchSemaphore(value: 0)
            Thread.detachNewThread {
                usleep(700_000)
                machine.resume()
                done.signal()
            }
            let run = try machine.probe("try", pins: ["4962"])
            done.wait()
            #expect(isFull)
            #expect(run.lines == ["PAM_SUCCESS"], "\(run.all)")
        }

        /// Connects until the queue is full. A connection is closed, and keeps its place until it is accepted.
        private func fill(_ path: String) -> Bool {
            for _ in 0..<5000 {
                let connection = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
                defer { close(connection) }
                let result = SocketAddress.file(path).pass { connect(connection, $0, $1) }
                if result != 0 { return errno == EAGAIN }
            }
            return false
        }
    }
}
