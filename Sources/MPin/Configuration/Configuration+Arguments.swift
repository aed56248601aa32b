extension Configuration {
    /// Reads arguments over what is settled already: `key=value`, or the bare key of a flag.
    mutating func read(arguments: [String]) throws(ConfigurationFault) {
        var seen: [ConfigurationOption] = []
        for (index, argument) in arguments.enumerated() {
            let place = ConfigurationFault.Place.argument(index + 1)
            let (option, value) = try Configuration.setting(argument, place)
            guard !seen.contains(option) else { throw ConfigurationFault(place, "was set before", option) }
            if let fault = set(option, value) { throw ConfigurationFault(place, fault, option) }
            seen.append(option)
            setOrigin(.argument, of: option)
        }
    }

    /// The option an argument sets, and its value.
    private static func setting(
        _ argument: String, _ place: ConfigurationFault.Place
    ) throws(ConfigurationFault) -> (ConfigurationOption, [UInt8]) {
        let bytes = Array(argument.utf8)
        guard bytes.count <= 4096, bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), VisibleText.isWellFormed(bytes)
        else {
            throw ConfigurationFault(place, "is not text, or too long")
        }
        let name = Array(bytes.prefix { $0 != UInt8(ascii: "=") })
        guard let option = ConfigurationOption.named(name) else { throw ConfigurationFault(place, "unknown option") }
        if name.count < bytes.count { return (option, Array(bytes.dropFirst(name.count + 1))) }
        guard option.kind == .flag else { throw ConfigurationFault(place, "needs a value", option) }
        return (option, Array("yes".utf8))
    }

    /// Finds settings that contradict each other, and settles what follows from several.
    mutating func settle() throws(ConfigurationFault) {
        guard !(triesFirstPass && usesFirstPass) else {
            throw ConfigurationFault(.together, "try_first_pass and use_first_pass exclude each other")
        }
        firstPass = usesFirstPass ? .required : triesFirstPass ? .tried : .ignored
        if firstPass != .ignored, let method, method != .pin {
            throw ConfigurationFault(.together, "a password of the stack cannot serve any method but pin")
        }
    }
}
