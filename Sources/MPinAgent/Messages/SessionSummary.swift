// SPDX-License-Identifier: Apache-2.0
package import MPin

/// What users are shown of a session before they type a PIN for it.
package struct SessionSummary: Equatable, Sendable {
    /// The application, whether the server knows the requester ("yes", "no", or empty if it does not report one), and
    /// the requester's host, account, service and address.
    let texts: [String]

    package init(_ details: SessionDetails) {
        let requester = details.requester
        texts = [
            details.appName, requester.map { $0.isVerified ? "yes" : "no" } ?? "", requester?.host ?? "",
            requester?.account ?? "", requester?.service ?? "", requester?.address ?? "",
        ]
    }

    init?(_ texts: [String]) {
        guard texts.count == 6 else { return nil }
        self.texts = texts
    }

    package var application: String? { text(0) }
    /// Nil if the server does not report a requester.
    package var isVerified: Bool? { text(1).map { $0 == "yes" } }
    package var host: String? { text(2) }
    package var account: String? { text(3) }
    package var service: String? { text(4) }
    package var address: String? { text(5) }

    private func text(_ number: Int) -> String? { texts[number].isEmpty ? nil : texts[number] }
}
