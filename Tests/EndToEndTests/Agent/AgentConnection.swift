// SPDX-License-Identifier: Apache-2.0
import CMPinSystem
import Foundation
import TestPeers
import Testing

/// A connection of this process, which is root's, to the agent, message for message.
final class AgentConnection {
    private var file: Int32

    init(_ path: String) throws {
        file = Glibc.socket(AF_UNIX, Int32(SOCK_SEQPACKET.rawValue), 0)
        var limit = timeval(tv_sec: 120, tv_usec: 0)
        setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let result = SocketAddress.file(path).pass { connect(file, $0, $1) }
        try #require(result == 0, "cannot connect: \(errno)")
    }

    deinit { close() }

    func close() {
        // The number may belong to another file afterwards.
        if file >= 0 { Glibc.close(file) }
        file = -1
    }

    /// A request as a module of root's makes it.
    static func request(
        _ account: String, service: String = "su", realUID: UInt32, startingUID: Int64 = -1, controls: Bool = false,
        version: Int = MPIN_AGENT_VERSION
    ) -> [UInt8] {
        var head = mpin_agent_request()
        head.kind = UInt8(MPIN_AGENT_REQUEST)
        head.version = UInt8(version)
        head.real_uid = realUID
        head.starting_uid = startingUID
        head.place = UInt8(MPIN_PLACE_OUTSIDE.rawValue)
        head.controls_process = controls ? 1 : 0
        return withUnsafeBytes(of: head) { Array($0) } + account.utf8 + [0] + service.utf8 + [0, 0, 0]
    }

    /// An action as mpin-enroll sends it; 1 reads the record.
    static func action(
        _ action: Int, _ account: String, identity: String = "", purpose: String = "", argument: String = "",
        version: Int = MPIN_AGENT_VERSION
    ) -> [UInt8] {
        [MPIN_AGENT_ACTION, version, action, 0].map { UInt8($0) }
            + [account, identity, purpose, argument].flatMap { Array($0.utf8) + [0] }
    }

    @discardableResult
    func send(_ bytes: [UInt8]) -> Bool { Glibc.send(file, bytes, bytes.count, Int32(MSG_NOSIGNAL)) >= 0 }

    func answer(_ pin: String) { send([UInt8(MPIN_AGENT_ANSWER), 0] + pin.utf8) }

    /// The next message: its first byte, and the rest as a text and as bytes. Nil at the end of the connection.
    func receive() -> (kind: Int, text: String, bytes: [UInt8])? {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = recv(file, &bytes, bytes.count, 0)
        guard count > 0 else { return nil }
        let content = Array(bytes[1..<count])
        return (Int(bytes[0]), String(decoding: content, as: UTF8.self), content)
    }

    /// The prompts, messages and code of a login with these answers. The code is nil if the connection ends before it.
    func login(_ request: [UInt8], _ answers: String...) -> (prompts: [String], told: [String], code: Int?) {
        var (prompts, told, answers): ([String], [String], [String]) = ([], [], answers)
        send(request)
        while let message = receive() {
            switch message.kind {
            case MPIN_AGENT_PROMPT:
                prompts.append(message.text)
                answer(answers.count > 1 ? answers.removeFirst() : answers[0])
            case MPIN_AGENT_INFO, MPIN_AGENT_ERROR: told.append(message.text)
            case MPIN_AGENT_RESULT: return (prompts, told, Int(message.bytes[0]))
            default: return (prompts, told, nil)
            }
        }
        return (prompts, told, nil)
    }
}
