import ArgumentParser

/// Where the PIN that is in use comes from.
struct PINOptions: ParsableArguments {
    @Option(name: .long, help: "A file with the PIN, or - for standard input.")
    var pinFile: String?

    func source(_ common: CommonOptions) -> PINSource {
        PINSource(file: pinFile, flag: "--pin-file", mayAsk: !common.noInput && !common.json)
    }
}
