extension ModuleVerdict {
    /// How much the line in the log matters.
    var level: LogLevel {
        switch code {
        case .success, .ignore: .note
        case .systemError, .serviceError: .fault
        default: .refusal
        }
    }
}
