// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinConfiguration

extension ProvenServer {
    /// Has the server at an address prove which key it has.
    static func at(_ address: String, _ configuration: Configuration) throws(CommandFailure) -> ProvenServer {
        ProgressNotice.name(address)
        var options = configuration.transport
        options.watch = ProgressNotice.watch
        do throws(MPinError) { return try MPinClient.hello(address, options: options) } catch {
            throw CommandFailure(error, at: address)
        }
    }
}
