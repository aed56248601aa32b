/// What answers of a server, and what does not.
struct HealthReport: Sendable {
    /// What is asked.
    enum Part: String, Sendable {
        /// The socket at which clients arrive.
        case listener
        /// A request, on each event loop.
        case requests
        case database
        /// The master share of an authority, which the key of the server opens.
        case authority1, authority2
    }

    /// Each part, and why it does not answer; nil where it does.
    let parts: [(part: Part, fault: String?)]

    var isGood: Bool { parts.allSatisfy { $0.fault == nil } }

    /// What does not answer, for a log.
    var text: String {
        parts.compactMap { entry in entry.fault.map { "\(entry.part.rawValue) (\($0))" } }.joined(separator: ", ")
    }

    /// One line of JSON.
    var json: String {
        let members = parts.map { "\"\($0.part.rawValue)\":\(JSONLine.quoted($0.fault ?? "ok"))" }
        return "{\"ok\":\(isGood)," + members.joined(separator: ",") + "}\n"
    }
}
