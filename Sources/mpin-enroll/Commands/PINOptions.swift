import ArgumentParser

/// Where the PIN that is in use comes from.
struct PINOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file with the PIN, or - for standard input.", valueName: "file"))
    var pinFile: String?

    func source(_ common: CommonOptions) -> PINSource {
        PINSource(file: pinFile, mayAsk: common.mayAsk)
    }
}
