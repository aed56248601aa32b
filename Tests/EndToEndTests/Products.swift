// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

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

    /// The module as it is installed. `MPIN_MODULE` may name another build of it.
    static let module: String =
        ProcessInfo.processInfo.environment["MPIN_MODULE"]
        ?? repository.appendingPathComponent("build/pam_mpin.so").path

    /// A real sshd: the one that scripts/test has unpacked, the machine's own, or nil.
    static let sshd: String? = {
        let unpacked = repository.appendingPathComponent(".build/debian/usr/sbin/sshd").path
        let found = [unpacked, "/usr/sbin/sshd"].first { FileManager.default.isExecutableFile(atPath: $0) }
        if found == nil { print("note: there is no sshd, and what needs it was left out; scripts/test fetches it") }
        return found
    }()

    static let repository = URL(fileURLWithPath: #filePath).resolvingSymlinksInPath()
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
}

/// Everything with the real programs, one test after the other: they start servers, and libpam makes failures wait.
@Suite(.serialized) struct EndToEnd {}
