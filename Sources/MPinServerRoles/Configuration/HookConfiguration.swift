// SPDX-License-Identifier: Apache-2.0

/// The application of the site that decides about registrations.
package struct HookConfiguration: Sendable {
    /// `https://HOST[:PORT][/PATH]`, or `http://` on this host.
    package var url: String?
    /// CA certificates for that application that replace the host's.
    package var certificateFile: String?

    init() {}
}
