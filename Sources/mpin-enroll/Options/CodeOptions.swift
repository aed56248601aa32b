import ArgumentParser

/// The options for the invitation code.
struct CodeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The invitation code; --code-file keeps it out of the process list.", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp("A file with the invitation code, or - for standard input.", valueName: "file"),
        completion: .file())
    var codeFile: String?

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    func source(_ common: CommonOptions, for command: String) -> CodeSource {
        CodeSource(code: code, file: codeFile, mayAsk: common.mayAsk, command: command)
    }
}
