// swift-tools-version: 6.2
// SPDX-License-Identifier: Apache-2.0

import PackageDescription

let root = Context.packageDirectory

/// Whether to build the module instead of the programs. It is Embedded Swift, which needs no runtime; see the end of
/// this file.
let isModule = Context.environment["MPIN_BUILD_MODULE"] == "1"

/// Whether the module may use symbols of its host, as the sanitizers require; see scripts/sanitize.
let isSanitized = Context.environment["MPIN_SANITIZED"] == "1"

/// Whether to build what scripts/demo runs. It compiles in a third of the time, because nothing is optimized except the
/// arithmetic, and the server has no TLS.
let isDemo = Context.environment["MPIN_BUILD_DEMO"] == "1"

/// The settings for all Swift targets.
let commonSettings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
    // For a sanitizer, the lock comes from a module that its users do not import.
    + (isSanitized ? [] : [.enableUpcomingFeature("MemberImportVisibility")])
    + (isModule ? [.enableExperimentalFeature("Embedded"), .unsafeFlags(["-wmo", isDemo ? "-Onone" : "-Osize"])] : [])

/// The settings for the tests. The optimizer would not make them faster, because they wait for the programs that they
/// test. Those are always optimized.
///
/// Measured: compiling everything with the tests 610 s -> 487.
let testSettings = commonSettings + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// The settings for the product: an audit of unsafe constructs, and each function in its own section, which
/// is kept only if it is used, so that the linker drops what a product does not call.
let settings: [SwiftSetting] =
    commonSettings + [
        .strictMemorySafety(),
        .unsafeFlags(
            ["-function-sections", "-internalize-at-link"].flatMap { ["-Xfrontend", $0] },
            .when(configuration: .release)),
    ]

/// The settings for the arithmetic, which is 500 times slower if it is not optimized.
let arithmeticSettings = settings + (isDemo ? [.unsafeFlags(["-O"])] : [])

/// The settings for the C code that the module contains. In the module nothing unwinds a stack, so the unwind tables are
/// omitted too.
let cSettings: [CSetting] =
    isModule
    ? [
        .define("MPIN_MODULE"),
        .unsafeFlags(["-Oz", "-fno-plt", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"]),
    ] : []

/// Link-time optimization of the module's targets: repeated code is moved to separate functions, and nothing is inlined
/// that would make the whole larger.
let embeddedLink =
    ["-enable-experimental-feature", "Embedded"]
    + ["-mllvm", "-enable-machine-outliner=always", "-mllvm", "-inline-threshold=0", "--lto-O2"].flatMap {
        ["-Xlinker", $0]
    }

/// The module's linker options, as far as they are specific to it.
///
/// The object is bound at load time and never unloaded, and exports six symbols. Nothing runs at loading or unloading,
/// so start files are not needed. Packed relocations and folding of identical code make it smaller; folding is safe
/// because the module does not compare functions.
let moduleLink: [String] =
    ["-use-ld=lld", "-no-toolchain-stdlib-rpath", "-Xclang-linker", "-nostartfiles"]
    + embeddedLink
    + [
        "--version-script=\(root)/Sources/pam_mpin/pam_mpin.map", "-soname=pam_mpin.so",
        "-z", "nodelete", "-z", "now", "-z", "relro", "-z", isSanitized ? "undefs" : "defs", "-z", "noexecstack",
        "-z", "pack-relative-relocs",
        "--as-needed", "--gc-sections", "--icf=all",
    ].flatMap { ["-Xlinker", $0] }

/// The linker options of the programs in a release build. They use the static Swift runtime, so that the tests run what
/// is installed. No exported names, so that the linker drops unused code; packed relocations, folding of identical
/// code, and binding at load time.
///
/// The tests are compiled in the same way, but link the toolchain's shared libraries, because Testing has no static
/// one. So every file is compiled only once. The libraries that Foundation's static library needs are listed here,
/// because only a compilation for static linking would name them in the object files.
///
/// Measured: mpin-server 80.3 MB -> 39.4 MB (34 of it are the data of ICU, see CLocaleData), mpin-enroll 16.0 -> 14.5.
let programLink: [LinkerSetting] =
    isSanitized
    ? []
    : [
        .unsafeFlags(
            [
                "-use-ld=lld", "-no-toolchain-stdlib-rpath", "-static-stdlib", "-lFoundationEssentials",
                "-lFoundationInternationalization", "-lCoreFoundation", "-l_FoundationICU", "-l_FoundationCShims",
                "-l_FoundationCollections", "-lswiftDispatch", "-lswiftSynchronization",
            ]
                + [
                    "--no-export-dynamic", "--as-needed", "--icf=all", "-z", "pack-relative-relocs", "-z", "now", "-z",
                    "relro",
                ].flatMap { ["-Xlinker", $0] },
            .when(platforms: [.linux], configuration: .release))
    ]

/// A product of another package. The SDK's targets use none.
func external(_ product: String, _ package: String) -> Target.Dependency {
    .product(name: product, package: package, condition: .when(traits: ["Programs"]))
}

let package = Package(
    name: "pam-mpin",
    products: [
        .library(name: "MPin", targets: ["MPin"]),
        .library(name: "MPinAsync", targets: ["MPinAsync"]),
        .executable(name: "mpin-agent", targets: ["mpin-agent"]),
        .executable(name: "mpin-enroll", targets: ["mpin-enroll"]),
        .executable(name: "mpin-server", targets: ["mpin-server"]),
    ],
    traits: [
        .default(enabledTraits: ["Programs"]),
        .trait(
            name: "Programs",
            description: "mpin-enroll and mpin-server. A package that uses the SDK alone depends on this one with "
                + "traits: [], and resolves no other."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        // What the module and the programs share. Nothing here imports Foundation, Dispatch or a package.
        .target(name: "Pairing", swiftSettings: arithmeticSettings),
        .target(name: "CMPinSystem", cSettings: cSettings),
        .target(name: "COpenSSL", dependencies: ["CMPinSystem"], cSettings: cSettings),
        .target(name: "CCurl", dependencies: ["CMPinSystem"], cSettings: cSettings),
        .target(name: "CTPM", dependencies: ["CMPinSystem"], cSettings: cSettings),
        .target(
            name: "MPinCrypto", dependencies: ["Pairing", "COpenSSL", "CMPinSystem"], swiftSettings: arithmeticSettings),
        .target(name: "MPinWire", swiftSettings: settings),
        .target(name: "ConfigurationSyntax", dependencies: ["MPinWire"], swiftSettings: settings),
        .target(
            name: "MPin", dependencies: ["MPinCrypto", "MPinWire", "CCurl", "CTPM", "CMPinSystem"],
            swiftSettings: settings),
        .target(
            name: "MPinConfiguration",
            dependencies: ["MPin", "MPinWire", "ConfigurationSyntax", "CTPM", "CMPinSystem"],
            swiftSettings: settings),
        .target(
            name: "MPinPAM", dependencies: ["MPinConfiguration", "MPin", "MPinWire", "CMPinSystem"],
            swiftSettings: settings),

        // The SDK for async programs. It may use what needs threads and Foundation, because no program of ours uses it.
        .target(name: "MPinAsync", dependencies: ["MPin", "MPinWire", "CMPinSystem"], swiftSettings: settings),

        // What the programs share, and the module and the SDK do not have.
        .target(name: "CProgram"),

        // The agent: the module's decisions for processes that may not read the store. It does not use Foundation
        // either.
        .target(name: "CAgent", dependencies: ["CMPinSystem"]),
        .target(
            name: "MPinAgent",
            dependencies: ["MPinPAM", "MPinConfiguration", "MPin", "MPinCrypto", "MPinWire", "CAgent", "CMPinSystem"],
            swiftSettings: settings),
        .executableTarget(
            name: "mpin-agent", dependencies: ["MPinAgent", "CMPinSystem", "CProgram"], swiftSettings: settings,
            linkerSettings: programLink),

        // The server and the two programs.
        .target(name: "CQREncode", dependencies: ["CMPinSystem"]),
        .target(name: "CPostgreSQL", dependencies: ["CMPinSystem", "COpenSSL"]),
        .target(name: "CTerminal"),
        .target(name: "ShellSyntax", swiftSettings: settings),
        .target(name: "QRCodes", dependencies: ["CQREncode"], swiftSettings: settings),
        .target(name: "PAMStack", swiftSettings: settings),
        .target(name: "SystemFiles", dependencies: ["CMPinSystem"], swiftSettings: settings),
        .target(
            name: "MPinServerStorage",
            dependencies: [
                "MPinWire", "MPinCrypto", "ShellSyntax", "SystemFiles", "CPostgreSQL", external("GRDB", "GRDB.swift"),
            ],
            swiftSettings: settings),
        .target(
            name: "MPinServerRoles",
            dependencies: [
                "MPinServerStorage", "MPinWire", "MPinCrypto", "QRCodes", "SystemFiles", "CCurl",
                external("Logging", "swift-log"),
            ],
            resources: [.embedInCode("Pages/mpin.css"), .embedInCode("Pages/mpin.js")], swiftSettings: settings),
        .target(
            name: "MPinServer",
            dependencies: [
                "MPinServerRoles", "MPinServerStorage", "MPinWire", "MPinCrypto", "ConfigurationSyntax",
                "ShellSyntax", "SystemFiles", "CTPM",
                external("HummingbirdCore", "hummingbird"),
                external("Logging", "swift-log"),
                external("HTTPTypes", "swift-http-types"),
                external("NIOCore", "swift-nio"),
                external("NIOHTTP1", "swift-nio"),
                external("NIOHTTPTypes", "swift-nio-extras"),
                external("NIOPosix", "swift-nio"),
                external("ServiceLifecycle", "swift-service-lifecycle"),
                external("UnixSignals", "swift-service-lifecycle"),
            ] + (isDemo ? [] : [external("NIOSSL", "swift-nio-ssl")]),
            swiftSettings: settings + (isDemo ? [] : [.define("TLS")])),
        .target(
            name: "Console",
            dependencies: [
                "CMPinSystem", "CTerminal", "ShellSyntax", "SystemFiles", "QRCodes",
                external("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "mpin-enroll",
            dependencies: [
                "MPinAgent", "MPinPAM", "MPinConfiguration", "MPin", "MPinCrypto", "MPinWire", "CAgent", "CCurl",
                "CMPinSystem", "CProgram", "CTerminal", "Console", "ShellSyntax", "QRCodes", "PAMStack", "SystemFiles",
                external("ArgumentParser", "swift-argument-parser"),
            ],
            swiftSettings: settings, linkerSettings: programLink),
        .target(name: "CLocaleData"),
        .executableTarget(
            name: "mpin-server",
            dependencies: [
                "MPinServer", "MPinServerRoles", "MPinServerStorage", "MPinCrypto", "CMPinSystem", "CProgram",
                "CTerminal", "Console", "ShellSyntax", "QRCodes", "SystemFiles", "CLocaleData",
                external("ArgumentParser", "swift-argument-parser"),
            ],
            resources: [.embedInCode("SSH/mpin-host.sh")], swiftSettings: settings, linkerSettings: programLink),

        // Tests. The peers are servers that simulate faults which a real server does not produce on demand.
        .target(
            name: "TestPeers", dependencies: ["MPinCrypto", "MPinWire"], path: "Tests/TestPeers",
            swiftSettings: testSettings),
        .target(name: "ManualPages", path: "Tests/ManualPages", swiftSettings: testSettings),
        .testTarget(name: "PairingTests", dependencies: ["Pairing"], swiftSettings: testSettings),
        .target(name: "Registers", path: "Tests/Registers"),
        // Optimized, because it searches the stack for what the product's calls leave there, and so leaves nothing itself.
        .testTarget(
            name: "MPinCryptoTests", dependencies: ["MPinCrypto", "Pairing", "Registers"],
            swiftSettings: commonSettings),
        .testTarget(name: "MPinWireTests", dependencies: ["TestPeers", "MPinWire"], swiftSettings: testSettings),
        .testTarget(
            name: "MPinTests",
            dependencies: ["TestPeers", "MPinAsync", "MPin", "MPinCrypto", "MPinWire", "CCurl", "CTPM", "CMPinSystem"],
            exclude: ["Recordings/Flows", "StateTable/Tables"], swiftSettings: testSettings),
        .testTarget(
            name: "MPinPAMTests",
            dependencies: [
                "TestPeers", "ManualPages", "MPinPAM", "MPinConfiguration", "MPin", "MPinCrypto", "MPinWire", "CTPM",
            ],
            swiftSettings: testSettings),
        .testTarget(
            name: "MPinAgentTests", dependencies: ["MPinAgent", "MPin", "MPinWire"], swiftSettings: testSettings),
        .testTarget(
            name: "MPinServerTests",
            dependencies: [
                "TestPeers", "ManualPages", "MPinServer", "MPinServerRoles", "MPinServerStorage", "MPinWire",
                "MPinCrypto",
            ],
            exclude: ["Hook/application.py", "Direct/Document/client.py"], swiftSettings: testSettings),
        .target(name: "CBenchmark", path: "Tests/Benchmarks/CBenchmark"),
        .executableTarget(
            name: "bench", dependencies: ["CBenchmark", "MPinCrypto", "MPinWire", "Pairing"],
            path: "Tests/Benchmarks/Program", swiftSettings: commonSettings),
        .target(name: "CValgrind", path: "Tests/ConstantTime/CValgrind"),
        .executableTarget(
            name: "constant-time", dependencies: ["CValgrind", "MPinCrypto", "MPinWire", "Pairing"],
            path: "Tests/ConstantTime/Program", swiftSettings: commonSettings,
            linkerSettings: isModule ? [.unsafeFlags(["-use-ld=lld"] + embeddedLink)] : []),
        // A host like any other, without a Swift runtime of its own.
        .executableTarget(
            name: "pam-probe", path: "Tests/PAMProbe",
            linkerSettings: [
                .linkedLibrary("pam"), .linkedLibrary("m"),
                .unsafeFlags(
                    ["-nostartfiles", "-static-stdlib", "-Xlinker", "--as-needed"], .when(platforms: [.linux])),
            ]),
        .executableTarget(name: "tpm-probe", dependencies: ["CTPM", "CMPinSystem"], path: "Tests/TPMProbe"),
        .testTarget(
            name: "EndToEndTests", dependencies: ["TestPeers", "ManualPages", "Console", "MPin", "CMPinSystem"],
            swiftSettings: testSettings),
    ],
    swiftLanguageModes: [.v6]
)

// Without what the demo does not run.
if isDemo {
    package.products.removeAll { $0.name == "mpin-agent" }
    package.targets.removeAll { $0.name == "mpin-agent" || $0.type == .test || $0.path != nil }
}

// The module: the targets that it shares with the programs, in Embedded Swift, and its own. Nothing else is built or
// resolved except the check of the compiled arithmetic.
if isModule {
    let shared = [
        "CMPinSystem", "COpenSSL", "CCurl", "CTPM", "Pairing", "MPinCrypto", "MPinWire", "ConfigurationSyntax", "MPin",
        "MPinConfiguration", "MPinPAM", "CValgrind", "constant-time",
    ]
    package.products = [.library(name: "pam_mpin", type: .dynamic, targets: ["pam_mpin"])]
    package.targets.removeAll { !shared.contains($0.name) }
    package.targets += [
        .target(
            name: "CPAM", dependencies: ["CMPinSystem"], cSettings: cSettings, linkerSettings: [.linkedLibrary("pam")]),
        .target(
            name: "pam_mpin", dependencies: ["MPinPAM", "MPin", "MPinWire", "CPAM", "CMPinSystem"],
            exclude: ["pam_mpin.map"], swiftSettings: settings,
            linkerSettings: [.unsafeFlags(moduleLink, .when(platforms: [.linux], configuration: .release))]),
    ]
    package.dependencies = []
    package.traits = []
}
