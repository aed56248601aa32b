// SPDX-License-Identifier: Apache-2.0

/// What the examples show to their person, and what the person does.
final class Shown {
    var texts: [String] = []
    /// What happens while an example waits.
    var whileWaiting: () -> Void = {}
}
