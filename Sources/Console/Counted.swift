// SPDX-License-Identifier: Apache-2.0

/// A number with its noun: `1 device`, `2 devices`.
package func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
