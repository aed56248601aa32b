import PAMStack

/// Which modules libpam can load here, each looked at once.
final class InstalledModules {
    private let assumesOwn: Bool
    private var known: [String: Bool] = [:]

    /// - Parameter assumesOwn: whether M-Pin's is to count as there, whatever has become of it.
    init(assumesOwn: Bool) {
        self.assumesOwn = assumesOwn
    }

    func contains(_ module: String) -> Bool {
        if let known = known[module] { return known }
        let isOwn = module.split(separator: "/").last.map(String.init) == ModuleKnowledge.own
        let isThere =
            isOwn
            ? assumesOwn || ModuleExamination.isLoadable(module) : ModuleFile.path(of: module) != nil
        known[module] = isThere
        return isThere
    }
}
