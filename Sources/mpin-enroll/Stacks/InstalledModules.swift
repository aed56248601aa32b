// SPDX-License-Identifier: Apache-2.0
import PAMStack

/// The modules that libpam can load on this machine. Each is checked once.
final class InstalledModules {
    private let assumesOwn: Bool
    private var known: [String: Bool] = [:]

    /// - Parameter assumesOwn: whether to assume that M-Pin's module can be loaded.
    init(assumesOwn: Bool) { self.assumesOwn = assumesOwn }

    func contains(_ module: String) -> Bool {
        if let known = known[module] { return known }
        let isOwn = module.split(separator: "/").last.map(String.init) == ModuleKnowledge.own
        let isThere = isOwn ? assumesOwn || ModuleExamination.isLoadable(module) : ModuleFile.path(of: module) != nil
        known[module] = isThere
        return isThere
    }
}
