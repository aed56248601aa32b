// SPDX-License-Identifier: Apache-2.0
internal import Glibc
internal import NIOCore

/// Descriptors that local clients may send with a request.
enum PassedDescriptors {
    /// SO_PASSRIGHTS of Linux 6.16, which the C library's headers lack.
    private static let option = NIOBSDSocket.Option(rawValue: 83)

    /// Makes the kernel refuse them on every connection of a listening socket. Closing an unexpected descriptor may
    /// block an event loop for as long as its owner wants.
    ///
    /// - Returns: whether it does. Older kernels do not have this option.
    static func refuse(_ listener: any Channel) async -> Bool {
        guard let provider = listener as? any SocketOptionProvider else { return false }
        let result: Void? = try? await provider.unsafeSetSocketOption(level: .socket, name: option, value: CInt(0))
            .get()
        return result != nil
    }
}
