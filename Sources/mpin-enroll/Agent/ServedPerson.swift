// SPDX-License-Identifier: Apache-2.0
import CAgent
import CMPinSystem
import Glibc
import MPin

/// The user for whom mpin-agent runs this program, at the other end of a connection that replaces the terminal and the
/// standard streams.
struct ServedPerson {
    /// The served user; `nil` if the agent does not run this program. `--served` is not an option of the commands: the
    /// agent adds it after the command's name and passes a connection. A user who types it has no such connection.
    static let current: ServedPerson? =
        CommandLine.arguments.dropFirst(2).first == "--served" && isConnected ? ServedPerson() : nil

    private static var isConnected: Bool {
        var kind: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return unsafe getsockopt(Int32(MPIN_AGENT_WORKER_SOCKET), SOL_SOCKET, SO_TYPE, &kind, &length) == 0
            && kind == Int32(SOCK_SEQPACKET.rawValue)
    }

    let descriptor = Int32(MPIN_AGENT_WORKER_SOCKET)

    /// The time limit for an answer to a prompt, in milliseconds.
    private static var patience: Int32 { 300_000 }

    /// Asks for a PIN.
    ///
    /// - Parameter isNew: whether the user chooses a new PIN.
    /// - Returns: `nil` when the user canceled or has disconnected.
    func askPIN(_ prompt: String, isNew: Bool) throws(MPinError) -> PIN? {
        let message = ServedPerson.message(isNew ? MPIN_AGENT_NEW_PROMPT : MPIN_AGENT_PROMPT, prompt.utf8)
        var pin = try PIN()
        var count = 0
        var answer = Int32(MPIN_AGENT_NO_ANSWER)
        pin.fill(count: PIN.longest) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                answer = unsafe mpin_agent_ask(
                    descriptor, message, message.count, buffer.baseAddress, buffer.count, &count, Self.patience)
            }
        }
        let isText = Int(answer) == MPIN_AGENT_TEXT
        pin.fill(count: isText ? count : 0) { _ in }
        guard isText || Int(answer) == MPIN_AGENT_EMPTY else { return nil }
        return pin
    }

    /// Waits until the user presses Enter or disconnects.
    func waitForEnter() {
        let message = ServedPerson.message(MPIN_AGENT_PAUSE, [])
        var nothing: UInt8 = 0
        var count = 0
        _ = unsafe mpin_agent_ask(descriptor, message, message.count, &nothing, 1, &count, Self.patience)
    }

    /// Asks a yes-or-no question.
    func confirms(_ question: String) -> Bool { isAnswered(MPIN_AGENT_QUESTION, question) }

    /// Prints on the user's standard output and waits for the confirmation.
    ///
    /// - Returns: whether the text has arrived there, as far as the program at the other end can find out.
    func deliver(_ text: String) -> Bool { print(text) && isAnswered(MPIN_AGENT_DELIVER, "") }

    private func isAnswered(_ kind: Int, _ text: String) -> Bool {
        let message = ServedPerson.message(kind, text.utf8)
        var answer: UInt8 = 0
        var count = 0
        let kind = unsafe mpin_agent_ask(descriptor, message, message.count, &answer, 1, &count, Self.patience)
        return Int(kind) == MPIN_AGENT_TEXT && answer == UInt8(ascii: "y")
    }

    /// Prints on the user's standard output.
    ///
    /// - Returns: whether all of it could be sent.
    func print(_ text: String) -> Bool { send(MPIN_AGENT_OUTPUT, text) }

    /// Prints on the user's standard error.
    func say(_ text: String) { _ = send(MPIN_AGENT_NOTE, text) }

    /// Shows the user a countdown of the seconds for which a password is valid.
    func countDown(_ seconds: Int) { _ = send(MPIN_AGENT_COUNTDOWN, "\(seconds)") }

    /// Sends the exit status.
    func end(_ status: Int32) {
        let message = [UInt8(truncatingIfNeeded: MPIN_AGENT_EXIT), UInt8(truncatingIfNeeded: status)]
        _ = unsafe mpin_agent_send(descriptor, message, message.count)
    }

    private func send(_ kind: Int, _ text: String) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let message = ServedPerson.message(kind, rest)
            guard unsafe mpin_agent_send(descriptor, message, message.count) == 0 else { return false }
            rest = rest.dropFirst(message.count - 1)
        }
        return true
    }

    /// A message with as many of the bytes as fit.
    private static func message(_ kind: Int, _ bytes: some Collection<UInt8>) -> [UInt8] {
        [UInt8(truncatingIfNeeded: kind)] + bytes.prefix(MPIN_AGENT_LONGEST_MESSAGE - 1)
    }
}
