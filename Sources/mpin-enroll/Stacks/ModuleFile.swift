import Glibc

/// The files of PAM modules.
enum ModuleFile {
    /// Where libpam looks for modules, on systems of several kinds.
    private static let directories: [String] = {
        let roots = ["/lib", "/usr/lib"]
        let architectures = roots.flatMap { root in
            (MachineFile.names(in: root) ?? []).filter { $0.hasSuffix("-linux-gnu") }.map { root + "/" + $0 }
        }
        return (architectures + ["/lib64", "/usr/lib64"] + roots).map { $0 + "/security" }
    }()

    /// The file of a module that a stack names; `nil` where there is none.
    static func path(of module: String) -> String? {
        let candidates = module.hasPrefix("/") ? [module] : directories.map { $0 + "/" + module }
        return candidates.first { unsafe access($0, F_OK) == 0 }
    }
}
