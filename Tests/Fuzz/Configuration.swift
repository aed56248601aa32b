// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration

/// The configuration: a file, behind it arguments, one a line.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = unsafe input(start, count)
    // A byte no text has divides the file from the arguments.
    let parts = bytes.split(separator: 0xFF, maxSplits: 1, omittingEmptySubsequences: false)
    let file = Array(parts.first ?? [])
    let arguments = parts.dropFirst().first?.split(separator: 0x0A).map { String(decoding: $0, as: UTF8.self) } ?? []
    do throws(ConfigurationError) {
        let configuration = try Configuration.parse(file.span, path: "/etc/mpin.conf", arguments: arguments)
        demand(configuration.timeoutSeconds > 0)
        demand(configuration.store.utf8.first == UInt8(ascii: "/"))
    } catch {
        // The message names the problem without showing the input.
        demand(!error.message.isEmpty && error.message.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F })
    }
    return 0
}
