// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// The options for the invitation code.
struct CodeOptions: ParsableArguments {
    @Option(help: .value("code", "Use this code. 'ps' shows it to other users; --code-file does not."))
    var code: String?

    @Option(help: .value("file", "Read the code from a file (- for standard input)."), completion: .file())
    var codeFile: String?

    func validate() throws {
        guard code == nil || codeFile == nil else { throw ValidationError("Give --code or --code-file, not both.") }
    }

    func source(_ common: CommonOptions, for command: String) -> CodeSource {
        CodeSource(code: code, file: codeFile, mayAsk: common.mayAsk, command: command)
    }
}
