// SPDX-License-Identifier: Apache-2.0

/// One result of a check.
struct Finding {
    enum Grade: String, CaseIterable {
        case ok, warning, fault
        /// This user may not check it, or the check failed.
        case unknown

        /// The word for the grade, after a sign if the terminal can show it.
        func text(isUnicode: Bool) -> String {
            let (sign, word) =
                switch self {
                // A check mark. The sign of a fault is a cross.
                case .ok: ("\u{2713}", "ok")
                case .warning: ("!", "warning")
                case .fault: ("\u{2717}", "FAULT")
                case .unknown: ("?", "unknown")
                }
            return isUnicode ? "\(sign) \(word)" : word
        }
    }

    /// The part of the machine; `area` in the JSON output.
    let area: String
    let grade: Grade
    let sentence: String
    var advice: Advice?
    /// The change that `--fix` may make.
    var repair: ModeRepair?

    init(_ area: String, _ grade: Grade, _ sentence: String, advice: Advice? = nil, repair: ModeRepair? = nil) {
        (self.area, self.grade, self.sentence, self.advice, self.repair) = (area, grade, sentence, advice, repair)
    }
}
