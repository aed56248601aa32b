// SPDX-License-Identifier: Apache-2.0
import Console
import Foundation
import MPinServer
import MPinServerStorage
import SystemFiles

/// Programs that `setup` runs as the server's account, for all work in that account's directory.
struct AccountProgram {
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

    func state() throws(ServerError) -> Answer { try ask("setup-state", "--json") }

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

/// A system program that setup runs.
struct SystemCommand {
    private let words: [String]

    /// - Parameter words: an absolute path, and the arguments.
    init(_ words: String...) { self.words = words }

    init(_ words: [String]) { self.words = words }

    /// Runs the program to its end, without input.
    func run() throws(ServerError) -> ChildProgram {
        let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
        do throws(SystemError) { return try ChildProgram(words, environment: environment) } catch {
            throw ServerError(.cannotCreate, "cannot run \(words[0]): \(error.text)")
        }
    }

    /// Makes systemd read its units again, after a change of this file.
    static func reloadUnits(_ file: String) throws(ServerError) {
        guard try SystemCommand("/usr/bin/systemctl", "daemon-reload").run().status == 0 else {
            throw ServerError(.cannotCreate, "systemd cannot load \(file)")
        }
    }
}

extension ChildProgram {
    /// The program's own error message, on one line.
    var reason: String {
        let lines = errors.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return lines.isEmpty ? "exit status \(status)" : lines.prefix(4).joined(separator: "; ")
    }
}
