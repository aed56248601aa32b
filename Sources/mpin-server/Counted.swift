// SPDX-License-Identifier: Apache-2.0

/// `1 device`, `2 devices`
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
