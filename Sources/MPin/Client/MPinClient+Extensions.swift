// SPDX-License-Identifier: Apache-2.0
package import MPinWire

extension MPinClient {
    /// Whether the server in use names an extension of the protocol; false before its settings are known.
    package func offers(_ extension: ProtocolExtension) -> Bool { settings?.offers(`extension`) ?? false }
}
