// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import NIOCore

extension HTTP1Channel.Configuration {
    /// Limits the size of heads, and closes connections without requests.
    static func limited(
        _ handlers: @autoclosure @escaping @Sendable () -> [any RemovableChannelHandler] = []
    ) -> Self {
        Self(
            additionalChannelHandlers: handlers(), idleTimeout: ConnectionLimitHandler.patience,
            httpDecoderConfiguration: .init(
                maxHeaderFieldSize: 16_384, maxHeaderListSize: 32_768, maxHeaderFieldCount: 100))
    }
}
