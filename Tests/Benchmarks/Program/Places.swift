// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The paths of the measured programs, which the script sets up.
struct Places {
    let products: String
    /// The stripped module, the preloaded library, the loader and the unpacked modules of others.
    let tools: String

    var server: String { products + "/mpin-server" }
    var enroll: String { products + "/mpin-enroll" }
    var module: String { tools + "/pam_mpin.so" }
    var floor: String { tools + "/floor.so" }
    var preload: String { tools + "/confdir.so" }
    var loader: String { tools + "/load" }
    var runner: String { tools + "/run" }

    func run(
        _ program: String, _ arguments: [String], input: String = "", environment: [String: String] = [:]
    ) throws -> Child {
        try Child(by: runner, program, arguments, input: input, environment: environment)
    }

    /// A module of Debian's, installed or unpacked, or `nil`.
    func debianModule(_ name: String) -> String? {
        let architecture = "/lib/\(Places.architecture)-linux-gnu/security/"
        return [architecture + name, "/usr" + architecture + name, tools + "/peers" + architecture + name]
            .first { FileManager.default.fileExists(atPath: $0) }
    }

    private static var architecture: String {
        #if arch(arm64)
        "aarch64"
        #else
        "x86_64"
        #endif
    }
}
