/// What setup has done so far: said at once to a person, and kept for a program.
struct SetupSteps {
    /// Whether nothing is said before the end.
    let json: Bool
    private(set) var members: [[String: Any]] = []

    init(json: Bool) { self.json = json }

    /// Something was done.
    mutating func done(_ step: String, _ text: String) { add(step, text, changed: true, sign: "done ") }

    /// Something was as it should be already, or is left as it is.
    mutating func note(_ step: String, _ text: String) { add(step, text, changed: false, sign: "     ") }

    private mutating func add(_ step: String, _ text: String, changed: Bool, sign: String) {
        members.append(["step": step, "text": text, "changed": changed])
        guard !json else { return }
        Output.print(
            text.split(separator: "\n").map { sign + $0 }.joined(separator: "\n"),
            otherwise: "Setup ends here, and what it has done stays done. Run it again where its answer can be read.")
    }
}
