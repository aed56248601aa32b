// SPDX-License-Identifier: Apache-2.0

/// What the page behind a link shows about a registration before the reader confirms it.
package struct LinkedRegistration: Sendable {
    package let user: String
    package let device: String
    package let source: String?
    package let created: Timestamp

    package init(user: String, device: String, source: String?, created: Timestamp) {
        self.user = user
        self.device = device
        self.source = source
        self.created = created
    }
}
