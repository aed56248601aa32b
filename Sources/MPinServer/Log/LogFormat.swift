// SPDX-License-Identifier: Apache-2.0

/// The format of the lines of the log.
enum LogFormat: String, Sendable {
    case text
    /// One object on each line.
    case json
}
