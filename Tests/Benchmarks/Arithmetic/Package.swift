// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

// The arithmetic of two checkouts in one process. scripts/bench lays it out: the other checkout's modules have names of
// their own, and so has the second copy of the operations that call them.

/// As in the product.
let settings: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "arithmetic",
    targets: [
        .target(name: "CMPinSystem"),
        .target(name: "COpenSSL", dependencies: ["CMPinSystem"]),
        .target(name: "Pairing", swiftSettings: settings),
        .target(name: "MPinCrypto", dependencies: ["Pairing", "COpenSSL", "CMPinSystem"], swiftSettings: settings),
        .target(name: "ThisOperations", dependencies: ["MPinCrypto", "Pairing"]),
        .target(name: "OtherPairing", swiftSettings: settings),
        .target(
            name: "OtherMPinCrypto", dependencies: ["OtherPairing", "COpenSSL", "CMPinSystem"],
            swiftSettings: settings),
        .target(name: "OtherOperations", dependencies: ["OtherMPinCrypto", "OtherPairing"]),
        .target(name: "CMCL"),
        .executableTarget(name: "arithmetic", dependencies: ["ThisOperations", "OtherOperations", "CMCL"]),
    ],
    swiftLanguageModes: [.v6]
)
