// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import MPinCrypto
import PAMStack
import SystemFiles

/// Checks whether programs can load M-Pin's module.
struct ModuleExamination {
    private(set) var findings: [Finding] = []

    /// - Parameter modules: M-Pin's module, as the stacks name it.
    init(modules: Set<String>) {
        guard !modules.isEmpty else {
            let isThere = ModuleFile.path(of: ModuleKnowledge.own) != nil
            findings = [
                isThere
                    ? Finding("module", .ok, "\(ModuleKnowledge.own) is installed.")
                    : Finding(
                        "module", .warning,
                        "\(ModuleKnowledge.own) is not installed, so no service can ask for the PIN.",
                        advice: ModuleExamination.install)
            ]
            return
        }
        for module in modules.sorted() { findings.append(ModuleExamination.finding(module)) }
    }

    /// Replaces damaged files, and installs a package that is missing.
    static let install = Advice("Install it: sudo apt install --reinstall libpam-mpin")

    /// The problem of a module that a stack names; `nil` if there is none.
    static func fault(_ module: String) -> Finding? {
        let finding = finding(module)
        return finding.grade == .ok ? nil : finding
    }

    /// Whether libpam can load a module. libpam does not check who may change the file.
    static func isLoadable(_ module: String) -> Bool { ModuleFile.path(of: module).map { problem($0) == nil } ?? false }

    private static func finding(_ module: String) -> Finding {
        guard let path = ModuleFile.path(of: module) else {
            return Finding("module", .fault, "\(module) is missing, but PAM stacks use it.", advice: install)
        }
        guard let facts = FileFacts(target: path), !facts.isWritableByOthers, facts.isTrusted else {
            return Finding(
                "module", .fault, "\(path) is writable by users other than root, but runs as root.",
                advice: install)
        }
        guard let problem = problem(path) else { return Finding("module", .ok, "\(path) can be loaded.") }
        return Finding(
            "module", .fault, "\(path) cannot be loaded: \(problem).",
            advice: install)
    }

    /// Why a program cannot load a module. A truncated file could crash the loader, so its size is checked first.
    private static func problem(_ path: String) -> String? {
        guard let head = try? SystemFile(path, O_RDONLY).read(upTo: 64), head.count == 64,
            head.starts(with: [0x7F, 0x45, 0x4C, 0x46])
        else { return "it is not a shared object" }
        // The section table is the last part of the file.
        func number(_ offset: Int, _ count: Int) -> Int {
            (0..<count).reduce(0) { $0 | Int(head[offset + $1]) << (8 * $1) }
        }
        let end = number(40, 6) + number(58, 2) * number(60, 2)
        guard let facts = FileFacts(target: path), facts.size >= end else { return "it is truncated" }
        guard let library = unsafe dlopen(path, RTLD_LAZY | RTLD_LOCAL) else {
            return unsafe dlerror().map { unsafe String(cString: $0) } ?? "the loader refuses it"
        }
        return unsafe dlsym(library, "pam_sm_authenticate") == nil ? "it is not a PAM module" : nil
    }
}

/// Checks libcrypto, without which no login and no enrollment works.
struct LibraryExamination {
    let findings: [Finding]

    init() {
        let isUsable = (try? Hash.sha256([])) != nil
        findings = isUsable ? [] : [LibraryExamination.fault]
    }

    private static var fault: Finding {
        guard CryptoError.isLibraryRestricted else {
            return Finding(
                "libraries", .fault, "libcrypto.so.3 cannot be loaded, so no PIN can be checked.",
                advice: Advice("Reinstall it: sudo apt install --reinstall libssl3"))
        }
        return Finding(
            "libraries", .fault,
            "No provider of OpenSSL meets the default properties in openssl.cnf, so no PIN can be checked.",
            advice: Advice(
                "Load a provider that meets them, or remove default_properties. See: openssl list -providers"))
    }
}
