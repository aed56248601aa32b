// SPDX-License-Identifier: Apache-2.0
internal import HummingbirdCore
internal import Logging
internal import NIOCore
internal import NIOSSL

/// A counted connection with TLS.
struct TLSChannel: ServerChildChannel {
    let base: CountedChannel
    let certificates: TLSCertificates

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        channel.eventLoop.makeCompletedFuture {
            try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: certificates.context))
        }.flatMap { base.setup(channel: channel, logger: logger) }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
