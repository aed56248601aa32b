// SPDX-License-Identifier: Apache-2.0

/// One line of the table: a quantity, what was measured, and what it may be.
struct Row: Encodable {
    enum Budget {
        case atMost(Double)
        case atLeast(Double)
    }

    let group: String
    let name: String
    let measured: Double
    let unit: String
    let budget: Double?
    let relation: String?
    let verdict: String
    /// What else was measured in the same run, to judge the number by.
    let beside: String

    init(_ group: String, _ name: String, _ measured: Double, _ unit: String, _ budget: Budget?, beside: String = "") {
        (self.group, self.name, self.measured, self.unit, self.beside) = (group, name, measured, unit, beside)
        switch budget {
        case .atMost(let limit):
            (self.budget, relation, verdict) = (limit, "<=", measured <= limit ? "within" : "over budget")
        case .atLeast(let limit):
            (self.budget, relation, verdict) = (limit, ">=", measured >= limit ? "within" : "over budget")
        case nil:
            (self.budget, relation, verdict) = (nil, nil, "")
        }
    }

    var isOver: Bool { verdict == "over budget" }
}
