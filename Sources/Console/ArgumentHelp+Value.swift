// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser

extension ArgumentHelp {
    /// The help of an option with a value.
    ///
    /// - Parameter name: what the value is, as the usage line shows it.
    package static func value(_ name: String, _ abstract: String) -> ArgumentHelp {
        ArgumentHelp(abstract, valueName: name)
    }
}
