// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The options for the invitation code.
struct CodeOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Use this code. --code-file hides it from 'ps'.", valueName: "code"))
    var code: String?

    @Option(
        help: ArgumentHelp("Read the code from a file (- for standard input).", valueName: "file"),
        completion: .file())
    var codeFile: String?

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    func source(_ common: CommonOptions, for command: String) -> CodeSource {
        CodeSource(code: code, file: codeFile, mayAsk: common.mayAsk, command: command)
    }
}
