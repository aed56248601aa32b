// SPDX-License-Identifier: Apache-2.0
internal import CAgent
internal import CMPinSystem
internal import MPin
internal import MPinWire

/// The user at the other end of a connection, who answers the questions of an action.
struct ConnectionCaller: ActionCaller {
    let connection: Int32

    /// How long a question waits for its answer, in milliseconds.
    static var patience: Int32 { 300_000 }

    func ask(_ question: ActionQuestion) throws(ActionFailure) -> PIN {
        guard var pin = PIN.empty() else { throw ActionFailure(.unanswered) }
        let answer = Self.ask(connection, MPIN_AGENT_QUESTION, question.fields.bytes, into: &pin)
        guard answer == MPIN_AGENT_TEXT || answer == MPIN_AGENT_EMPTY else { throw ActionFailure(.unanswered) }
        return pin
    }

    /// - Returns: the kind of the answer.
    static func ask(_ connection: Int32, _ kind: Int, _ content: [UInt8], into pin: inout PIN) -> Int {
        let message = [UInt8(truncatingIfNeeded: kind)] + content
        var count = 0
        var answer = CInt(MPIN_AGENT_NO_ANSWER)
        pin.wipe()
        pin.fill(count: PIN.longest) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer in
                answer = unsafe mpin_agent_ask(
                    connection, message, message.count, buffer.baseAddress, buffer.count, &count, patience)
            }
        }
        pin.fill(count: Int(answer) == MPIN_AGENT_TEXT ? count : 0) { _ in }
        return Int(answer)
    }
}
