// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import Console

/// The options for the current PIN.
struct PINOptions: ParsableArguments {
    @Option(help: .value("file", "Read the current PIN from a file (- for standard input)."), completion: .file())
    var pinFile: String?

    /// - Parameter command: the command in the hint after canceling.
    func source(_ common: CommonOptions, for command: String) -> PINSource {
        var source = PINSource(file: pinFile, mayAsk: common.mayAsk)
        source.afterCanceling = Advice("No try was used. Try again", command)
        return source
    }
}
