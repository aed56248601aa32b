// SPDX-License-Identifier: Apache-2.0
package import SystemFiles

extension FileName {
    /// An unused name for the version of a file before this time.
    package static func unused(_ path: String, before now: Timestamp) -> String {
        unused("\(path).before-\(now.zulu.filter { $0 != "-" && $0 != ":" })")
    }
}
