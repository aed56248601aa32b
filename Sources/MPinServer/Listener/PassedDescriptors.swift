internal import Glibc
internal import NIOCore

/// Descriptors that local clients may send along with a request.
enum PassedDescriptors {
    /// SO_PASSRIGHTS of Linux 6.16, which the C library's headers lack.
    private static let option = NIOBSDSocket.Option(rawValue: 83)

    /// Has the kernel refuse them on every connection of a listening socket: closing one that nobody has asked for may hold
    /// an event loop for as long as its owner likes.
    ///
    /// - Returns: Whether it does; older kernels know no such option.
    static func refuse(_ listener: any Channel) async -> Bool {
        guard let provider = listener as? any SocketOptionProvider else { return false }
        let result: Void? = try? await provider.unsafeSetSocketOption(
            level: .socket, name: option, value: CInt(0)
        ).get()
        return result != nil
    }
}
