// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// Programs that `setup` runs as the server's account, for all work in that account's directory.
struct AccountProgram {
    /// The JSON answer of a command of this program.
    struct Answer {
        let members: [String: Any]

        /// A text member without control characters, because an attacker may control the account.
        func text(_ name: String) -> String? { (members[name] as? String).map { visible($0) } }

        func flag(_ name: String) -> Bool { members[name] as? Bool ?? false }
    }

    let account: ServerAccount

    /// A command line that another program can start. It gives the account no terminal to type into.
    private func words(_ program: String, _ arguments: [String]) -> [String] {
        [
            "/usr/bin/setsid", "--wait", "/usr/bin/setpriv", "--reuid=\(account.user)", "--regid=\(account.group)",
            "--init-groups", "--", program,
        ] + arguments
    }

    /// Runs a command of this program that prints an object.
    ///
    /// - Throws: ``ServerError``; the command's own error if it failed.
    func ask(_ arguments: String...) throws(ServerError) -> Answer {
        let program: String
        do { program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe") } catch {
            throw ServerError(.internalFault, "cannot read /proc/self/exe: \(error.localizedDescription)")
        }
        let result = try SystemCommand(words(program, arguments)).run()
        let object = (try? JSONSerialization.jsonObject(with: Data(result.output.utf8))) as? [String: Any]
        guard result.status == 0, let object else {
            let error = object?["error"] as? [String: Any]
            throw ServerError(
                (error?["code"] as? String).flatMap { ServerError.Kind(rawValue: $0) } ?? .internalFault,
                visibleLines(error?["message"] as? String ?? result.reason),
                hint: visibleLines(error?["hint"] as? String ?? ""))
        }
        return Answer(members: object)
    }

    /// The state of the directory.
    func state() throws(ServerError) -> Answer { try ask("setup-state", "--json") }

    /// Waits until the server answers.
    func isAnswered(within seconds: Int) throws(ServerError) -> Bool {
        let end = ContinuousClock.now + .seconds(seconds)
        while try !state().flag("answers") {
            if ContinuousClock.now > end { return false }
            usleep(100_000)
        }
        return true
    }

    /// Why the server cannot listen on one of its addresses; nil if it can, or if it does not report that in time.
    func closedAddress(within seconds: Int) throws(ServerError) -> String? {
        let end = ContinuousClock.now + .seconds(seconds)
        while ContinuousClock.now < end {
            if let state = try state().text("listener") { return state == "ok" ? nil : state }
            usleep(100_000)
        }
        return nil
    }
}
