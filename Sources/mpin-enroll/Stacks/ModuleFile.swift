// SPDX-License-Identifier: Apache-2.0
import Glibc
import PAMStack
import SystemFiles

enum ModuleFile {
    /// The directories in which libpam of several distributions looks for modules.
    private static let directories: [String] = {
        let roots = ["/lib", "/usr/lib"]
        let architectures = roots.flatMap { root in
            ((try? Directory.names(in: root)) ?? []).filter { $0.hasSuffix("-linux-gnu") }.map { root + "/" + $0 }
        }
        return (architectures + ["/lib64", "/usr/lib64"] + roots).map { $0 + "/security" }
    }()

    /// The file of a module that a stack names; `nil` if there is none.
    static func path(of module: String) -> String? {
        let candidates = module.hasPrefix("/") ? [module] : directories.map { $0 + "/" + module }
        return candidates.first { unsafe access($0, F_OK) == 0 }
    }
}

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
