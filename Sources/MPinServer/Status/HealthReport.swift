// SPDX-License-Identifier: Apache-2.0

/// Which parts of a server respond.
struct HealthReport: Sendable {
    /// A part that is checked.
    enum Part: String, Sendable {
        /// The socket to which clients connect.
        case listener
        /// A request, on each event loop.
        case requests
        case database
        /// The master share of an authority, which the server's key opens.
        case authority1, authority2
    }

    /// Each part, and why it does not respond; nil if it does.
    let parts: [(part: Part, fault: String?)]

    var isGood: Bool { parts.allSatisfy { $0.fault == nil } }

    /// The parts that do not respond, for a log.
    var text: String {
        parts.compactMap { entry in entry.fault.map { "\(entry.part.rawValue) (\($0))" } }.joined(separator: ", ")
    }

    /// One line of JSON.
    var json: String {
        let members = parts.map { "\"\($0.part.rawValue)\":\(JSONLine.quoted($0.fault ?? "ok"))" }
        return "{\"ok\":\(isGood)," + members.joined(separator: ",") + "}\n"
    }
}
