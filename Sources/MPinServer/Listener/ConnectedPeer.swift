// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import MPinServerStorage
internal import NIOCore

enum ConnectedPeer {
    /// The result of SO_PEERCRED. The C library's own type cannot be used with NIO's generic call.
    private struct Credentials: Sendable {
        var process: Int32 = 0
        var user: UInt32 = 0
        var group: UInt32 = 0
    }

    /// Asks the system. On the channel's own loop the answer is immediate.
    static func of(_ channel: any Channel) -> EventLoopFuture<RequestSource> {
        if let text = channel.remoteAddress?.ipAddress {
            return channel.eventLoop.makeSucceededFuture(RequestSource(address: text))
        }
        guard let provider = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(.unknown)
        }
        let answer: EventLoopFuture<Credentials> = provider.unsafeGetSocketOption(
            level: SocketOptionLevel(SOL_SOCKET), name: SocketOptionName(SO_PEERCRED))
        return answer.map { .user($0.user) }.recover { _ in .unknown }
    }
}
