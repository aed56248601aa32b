/// What has been found at one place of the machine.
struct Finding {
    enum Grade: String, CaseIterable {
        case ok, warning, fault
        /// This user may not look there, or it could not be found out.
        case unknown

        /// The word, with a sign before it where it can be shown.
        func text(isUnicode: Bool) -> String {
            let (sign, word) =
                switch self {
                // A check mark, and below a cross.
                case .ok: ("\u{2713}", "ok")
                case .warning: ("!", "warning")
                case .fault: ("\u{2717}", "FAULT")
                case .unknown: ("?", "unknown")
                }
            return isUnicode ? "\(sign) \(word)" : word
        }
    }

    /// The part of the machine, for programs.
    let area: String
    let grade: Grade
    let sentence: String
    var advice: Advice?
    /// What `--fix` may do about it.
    var repair: ModeRepair?

    init(_ area: String, _ grade: Grade, _ sentence: String, advice: Advice? = nil, repair: ModeRepair? = nil) {
        (self.area, self.grade, self.sentence, self.advice, self.repair) = (area, grade, sentence, advice, repair)
    }
}
