// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The host name, which servers show in their lists of devices.
enum HostName {
    static var current: String {
        var buffer = [CChar](repeating: 0, count: 256)
        guard unsafe gethostname(&buffer, buffer.count - 1) == 0 else { return "" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The host name, or "this machine" if it is unknown.
    static var here: String {
        let name = current
        return name.isEmpty ? "this machine" : name
    }
}
