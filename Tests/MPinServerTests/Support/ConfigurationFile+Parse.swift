// SPDX-License-Identifier: Apache-2.0
import MPinServer
import MPinServerStorage

extension ConfigurationFile {
    /// Reads a text, as a server does at its start.
    ///
    /// - Throws: the first fault there is.
    static func parse(_ text: String, name: String) throws(ServerError) -> ServerConfiguration {
        let (configuration, faults) = read(text, name: name)
        if let fault = faults.first { throw fault }
        return configuration
    }
}
