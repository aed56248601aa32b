// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The programs and the module as they were built.
enum Products {
    static let directory: String = {
        if let named = ProcessInfo.processInfo.environment["MPIN_PRODUCTS"] { return named }
        // The test bundle is beside them.
        let bundle = CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath().deletingLastPathComponent().path
    }()

    static var server: String { directory + "/mpin-server" }
    static var enroll: String { directory + "/mpin-enroll" }
    static var agent: String { directory + "/mpin-agent" }

    /// `MPIN_MODULE` may name another build of it, which then is the only one.
    static let module = named ?? directory + "/libpam_mpin.so"
    private static let named = ProcessInfo.processInfo.environment["MPIN_MODULE"]

    /// A real sshd: the one that scripts/test has unpacked, the machine's own, or nil.
    static let sshd: String? = {
        let unpacked = repository.appendingPathComponent(".build/debian/usr/sbin/sshd").path
        let found = [unpacked, "/usr/sbin/sshd"].first { FileManager.default.isExecutableFile(atPath: $0) }
        if found == nil { print("note: there is no sshd, and what needs it was left out; scripts/test fetches it") }
        return found
    }()

    /// The module in both its builds, as far as they are there: with the Swift runtime, and in Embedded Swift.
    static let modules: [String] = {
        if named != nil { return [module] }
        guard let embedded else {
            print("note: the module in Embedded Swift is not there and was left out; scripts/build --embedded makes it")
            return [module]
        }
        return [module, embedded]
    }()

    /// What `MPIN_EMBEDDED_MODULE` names, which then has to be there (empty for none), or what `scripts/build --embedded`
    /// has left.
    private static var embedded: String? {
        if let named = ProcessInfo.processInfo.environment["MPIN_EMBEDDED_MODULE"] {
            return named.isEmpty ? nil : named
        }
        let built = repository.appendingPathComponent("build/embedded/pam_mpin.so").path
        return FileManager.default.fileExists(atPath: built) ? built : nil
    }

    private static let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}
