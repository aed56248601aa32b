// SPDX-License-Identifier: Apache-2.0

/// A measurement that did not come about.
struct Failure: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
