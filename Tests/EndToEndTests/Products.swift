import Foundation

/// The programs and the module as they were built.
enum Products {
    static let directory: String = {
        if let named = ProcessInfo.processInfo.environment["MPIN_PRODUCTS"] { return named }
        // The test bundle lies beside them.
        let bundle = CommandLine.arguments[0]
        return URL(fileURLWithPath: bundle).resolvingSymlinksInPath().deletingLastPathComponent().path
    }()

    static var server: String { directory + "/mpin-server" }
    static var enroll: String { directory + "/mpin-enroll" }
    static var module: String { directory + "/libpam_mpin.so" }
}
