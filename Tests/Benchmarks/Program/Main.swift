// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Measures what the project promises. To be run by `scripts/bench`, which builds and collects what this needs.
@main
struct Benchmarks {
    static let groups = ["crypto", "module", "login", "server", "cluster"]

    static func main() {
        do { try run(Array(CommandLine.arguments.dropFirst())) } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    /// - Parameter arguments: the directory of the built programs, that of the tools, `json` or `table`, and groups.
    private static func run(_ arguments: [String]) throws {
        guard arguments.count > 3, arguments.dropFirst(3).allSatisfy(groups.contains) else {
            throw Failure("usage: bench PRODUCTS TOOLS json|table \(groups.joined(separator: "|"))...")
        }
        var report = Report()
        do {
            let site = try Site(Places(products: arguments[0], tools: arguments[1]))
            for group in arguments.dropFirst(3) {
                switch group {
                case "crypto": try CryptoRows.measure(&report)
                case "module": try ModuleRows.measure(site, &report)
                case "login": try LoginRows.measure(site, &report)
                case "cluster": try ClusterRows.measure(site, &report)
                default:
                    try ServerRows.measure(site, &report)
                    try ServerRows.measureDirect(site, &report)
                }
            }
        }
        try report.print(asJSON: arguments[2] == "json")
    }
}
