import ArgumentParser

/// Where the PIN that is in use comes from.
struct PINOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file with the PIN, or - for standard input.", valueName: "file"))
    var pinFile: String?

    /// - Parameter command: what leads to the same question once more.
    func source(_ common: CommonOptions, for command: String) -> PINSource {
        var source = PINSource(file: pinFile, mayAsk: common.mayAsk)
        source.afterCancelling = Advice("No try was spent. Once more with", command)
        return source
    }
}
