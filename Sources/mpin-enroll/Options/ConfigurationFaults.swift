import MPinConfiguration

/// Every fault of the configuration's file, where its reader, which must refuse at the first, names only one.
struct ConfigurationFaults {
    /// What is wrong, a line each.
    let messages: [String]
    let isFileThere: Bool

    /// How many are looked for: nobody reads more of them.
    private static let most = 50

    init(_ options: CommonOptions) {
        let path = options.configurationPath
        guard var lines = MachineFile.load(path).map({ $0.split(separator: 0x0A, omittingEmptySubsequences: false) })
        else {
            (messages, isFileThere) = ([], MachineFile.status(path) != nil)
            return
        }
        isFileThere = true
        var found: [String] = []
        while found.count < ConfigurationFaults.most {
            let text = Array(lines.joined(separator: [0x0A]))
            guard let fault = ConfigurationFaults.fault(text, path) else { break }
            found.append(fault.message)
            // The line is blanked, and the rest read again. A section's name goes without what stands below it, so that
            // its keys are not blamed for it.
            guard case .line(let number, _) = fault.location, lines.indices.contains(number - 1) else { break }
            lines[number - 1] = []
        }
        messages = found
    }

    private static func fault(_ text: [UInt8], _ path: String) -> ConfigurationFault? {
        do throws(ConfigurationFault) {
            _ = try Configuration.parse(text.span, path: path, arguments: [])
            return nil
        } catch { return error }
    }
}
