// SPDX-License-Identifier: Apache-2.0

/// The exit statuses of `mpin-enroll` and `mpin-server`: those of sysexits.h and some of our own.
package enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case unclassified = 1
    case usage = 64
    case badInput = 65
    case inputNeeded = 66
    case notEnrolled = 67
    case unavailable = 69
    case internalFault = 70
    /// EX_OSFILE.
    case noTPM = 72
    case cannotCreate = 73
    case storage = 74
    case tryLater = 75
    case protocolFault = 76
    case notPermitted = 77
    case configuration = 78
    case enrolledAlready = 79
    case notVerified = 80
    case wrongPIN = 81
    case blocked = 82
    case revoked = 83
    case secretsExpired = 84
    case canceled = 130
}
