// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// A pattern for the names of hosts, as `Host` and `Match originalhost` of ssh_config accept it.
struct SSHPattern: ExpressibleByArgument, Equatable {
    let text: String

    /// Refuses characters that have a meaning of their own in the configuration of ssh, or in a list of patterns.
    init?(argument: String) {
        let refused = "\"'`%,#=\\"
        let isPlain = argument.unicodeScalars.allSatisfy {
            $0 > " " && $0 < "\u{7F}" && !refused.unicodeScalars.contains($0)
        }
        guard isPlain, !argument.isEmpty else { return nil }
        text = argument
    }

}
