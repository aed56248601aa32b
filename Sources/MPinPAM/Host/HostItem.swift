// SPDX-License-Identifier: Apache-2.0

/// The PAM items that the module reads.
package enum HostItem: Sendable, CaseIterable {
    /// The name of the service, which is the name of its stack.
    case service
    /// The remote host that the user comes from.
    case remoteHost
}
