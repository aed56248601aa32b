// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension MPinClient {
    /// Whether the server in use names an extension of the protocol; false before its settings are known.
    package func offers(_ name: StaticString) -> Bool { settings?.offers(ByteText(name)) ?? false }
}
