// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The values of `--role`.
enum ServedRole: String, ExpressibleByArgument, CaseIterable {
    /// The server that users log in to, with or without the second authority.
    case server
    /// A second authority by itself.
    case authority
}
