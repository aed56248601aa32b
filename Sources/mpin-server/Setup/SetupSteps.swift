// SPDX-License-Identifier: Apache-2.0

/// The steps that setup has done: printed at once as text, or kept for the JSON object.
struct SetupSteps {
    /// Whether the steps are kept for the JSON object.
    let json: Bool
    private(set) var members: [[String: Any]] = []

    init(json: Bool) { self.json = json }

    /// Reports a change.
    mutating func done(_ step: String, _ text: String) { add(step, text, changed: true, sign: "done ") }

    /// Reports something that is not changed.
    mutating func note(_ step: String, _ text: String) { add(step, text, changed: false, sign: "     ") }

    private mutating func add(_ step: String, _ text: String, changed: Bool, sign: String) {
        members.append(["step": step, "text": text, "changed": changed])
        guard !json else { return }
        Output.print(
            text.split(separator: "\n").map { sign + $0 }.joined(separator: "\n"),
            otherwise: "Setup stops here. The finished steps remain. Run it again where its output can be read.")
    }
}
