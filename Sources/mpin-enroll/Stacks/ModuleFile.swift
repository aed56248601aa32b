// SPDX-License-Identifier: Apache-2.0
import Glibc
import SystemFiles

/// Finds the files of PAM modules.
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
