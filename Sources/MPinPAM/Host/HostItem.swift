/// The PAM items that the module reads.
package enum HostItem: Sendable, CaseIterable {
    /// The name of the service, which is that of its stack.
    case service
    /// Where the person comes from over the network.
    case remoteHost
}
