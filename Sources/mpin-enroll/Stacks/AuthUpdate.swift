// SPDX-License-Identifier: Apache-2.0
import Console
import Glibc
import PAMStack
import SystemFiles

/// Debian's pam-auth-update, which manages the files that services include. `mpin-enroll` prints its commands and never
/// runs it.
enum AuthUpdate {
    private static let program = "/usr/sbin/pam-auth-update"
    private static let profile = "/usr/share/pam-configs/mpin"
    private static let shared = "/common-auth"

    /// Whether pam-auth-update has M-Pin's profile.
    static var hasProfile: Bool { unsafe access(program, X_OK) == 0 && SystemFile.load(profile) != nil }

    static let enablesAll =
        "To change all services that include common-auth instead: sudo pam-auth-update --enable mpin"

    /// The command that turns on the password and turns off M-Pin, regardless of other profiles.
    static let way = "sudo pam-auth-update --enable unix --disable mpin"

    /// How to remove the profile's line, which is in every service that includes the shared file.
    static var disablesAll: Advice { Advice("Turn off the PIN for every service that includes common-auth: \(way)") }

    /// Whether a service includes the shared file.
    static func serves(_ stacks: ServiceStacks) -> Bool { stacks.files.contains { $0.hasSuffix(shared) } }

    /// Whether a line is in the shared file.
    static func contains(_ entry: StackEntry) -> Bool { entry.place.file.hasSuffix(shared) }

    /// Whether no profile in the shared file of a service checks who logs in. pam-auth-update then writes
    /// pam_permit.so, which lets every user in.
    static func isEmpty(_ stacks: ServiceStacks) -> Bool {
        stacks.entries(.auth).first(where: contains)?.moduleName == "pam_permit.so"
    }
}
