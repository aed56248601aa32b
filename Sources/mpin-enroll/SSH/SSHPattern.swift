// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A pattern for the names of hosts, as `Host` and `Match originalhost` of ssh_config accept it.
struct SSHPattern: Equatable {
    let text: String

    var isEveryHost: Bool { text.allSatisfy { $0 == "*" } }

    /// Accepts only characters that have no other meaning in the configuration of ssh, or in a list of patterns. For
    /// example, `!` excludes hosts, but only next to another pattern that matches them.
    init(_ text: String) throws(ValidationError) {
        let isPlain = text.utf8.allSatisfy {
            switch $0 {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: ".-_:*?".utf8.contains($0)
            }
        }
        guard isPlain, !text.isEmpty else {
            let hint =
                text.contains("@") ? "Omit the user. " : text.contains(",") ? "Separate the hosts with blanks. " : ""
            throw ValidationError(hint + "A pattern has only ASCII letters, digits, and the characters . - _ : * ?")
        }
        self.text = text
    }
}
