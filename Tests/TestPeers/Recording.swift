// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A flow of the system of 2016 as facts: what a client was called for, what it sent, what came back, what it reported.
///
/// README beside the recordings says how the files are made and written.
package struct Recording: Sendable {
    /// What has to come before: the calls of one client in another flow, up to one of them.
    package struct Prelude: Sendable {
        package let client: String
        package let flow: String
        package let recordedClient: String
        package let last: String?
    }

    package let preludes: [Prelude]
    package let calls: [Call]

    package struct Call: Sendable {
        package let client: String
        package let name: String
        package let arguments: [String]
        /// Status, state and other results of the call, as this client must report them.
        package fileprivate(set) var outcome = ""
        /// The outcome of the client of 2016, if it differs; then ``reason`` explains why.
        package fileprivate(set) var theirs: String?
        package fileprivate(set) var reason: String?
        package fileprivate(set) var requests: [Request] = []
    }

    package struct Request: Sendable {
        package enum Sender: String, Sendable {
            case both = "request"
            case onlyThis = "ours"
            case onlyTheirs = "theirs"
        }

        package let sender: Sender
        package let method: String
        package let path: String
        package fileprivate(set) var query: String?
        /// The JSON this client must send.
        package fileprivate(set) var body: String?
        /// The request of the client of 2016 instead of it.
        package fileprivate(set) var theirBody: String?
        /// `nil` hangs up.
        package fileprivate(set) var answer: Answer?
        package fileprivate(set) var reason: String?
    }

    package enum Fault: Error {
        case line(String)
    }
}

extension Recording {
    package init(_ text: String) throws {
        var preludes: [Prelude] = []
        var calls: [Call] = []
        var client = ""
        for line in text.components(separatedBy: "\n") where !line.isEmpty {
            let depth = line.prefix { $0 == " " }.count
            let words = line.dropFirst(depth).split(separator: " ", maxSplits: 1).map(String.init)
            let rest = words.count > 1 ? words[1] : ""
            switch (depth, words[0]) {
            case (0, "flow"): continue
            case (0, "given"): preludes.append(try Prelude(rest))
            case (0, "client"): client = rest
            case (0, "call"): calls.append(Call(client, rest))
            case (2, _), (4, _):
                guard var call = calls.popLast() else { throw Fault.line(line) }
                try depth == 2 ? call.add(words[0], rest) : call.addToRequest(words[0], rest)
                calls.append(call)
            default: throw Fault.line(line)
            }
        }
        self.preludes = preludes
        self.calls = calls
    }
}

extension Recording.Prelude {
    /// `CLIENT FLOW/CLIENT` or `CLIENT FLOW/CLIENT until CALL`.
    fileprivate init(_ text: String) throws {
        let words = text.components(separatedBy: " ")
        let place = words.dropFirst().first?.components(separatedBy: "/") ?? []
        guard place.count == 2 else { throw Recording.Fault.line(text) }
        self.init(
            client: words[0], flow: place[0], recordedClient: place[1], last: words.count == 4 ? words[3] : nil)
    }
}

extension Recording.Call {
    fileprivate init(_ client: String, _ text: String) {
        // An argument with spaces is in quotes, at the end.
        let quoted = text.components(separatedBy: "\"")
        var words = quoted[0].split(separator: " ").map(String.init)
        let name = words.removeFirst()
        if quoted.count > 1 { words.append(quoted[1]) }
        self.init(client: client, name: name, arguments: words)
    }

    fileprivate mutating func add(_ word: String, _ rest: String) throws {
        switch word {
        case "outcome": outcome = rest
        case "differs": reason = rest
        // Without a method it is the other client's outcome.
        case "theirs" where !["GET", "POST", "PUT"].contains(rest.components(separatedBy: " ")[0]): theirs = rest
        default:
            let target = rest.components(separatedBy: " ")
            guard let sender = Recording.Request.Sender(rawValue: word), target.count == 2 else {
                throw Recording.Fault.line(word + " " + rest)
            }
            requests.append(Recording.Request(sender: sender, method: target[0], path: target[1]))
        }
    }

    fileprivate mutating func addToRequest(_ word: String, _ rest: String) throws {
        guard var request = requests.popLast() else { throw Recording.Fault.line(word) }
        switch word {
        case "query": request.query = rest
        case "body": request.body = rest
        case "theirs": request.theirBody = rest
        case "differs": request.reason = rest
        case "answer":
            let words = rest.split(separator: " ", maxSplits: 1).map(String.init)
            request.answer = Int(words[0]).map { .status($0, words.count > 1 ? words[1] : "") }
        default: throw Recording.Fault.line(word)
        }
        requests.append(request)
    }
}
