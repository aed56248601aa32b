// SPDX-License-Identifier: Apache-2.0
import CCurl
import Glibc

/// When the certificate of a server is valid, which was refused because it is not valid now. These times are not verified,
/// so no decision depends on them.
struct CertificateDates {
    private let view: mpin_http_view

    /// The time limit for reading the certificate once more, in milliseconds.
    private static let patience = 3000

    /// Asks the server for its certificate; nil if it shows none.
    init?(_ server: String) {
        var view = mpin_http_view()
        guard unsafe mpin_http_dates(server, Self.patience, &view) != 0 else { return nil }
        self.view = view
    }

    /// Since when it is invalid, or from when it is valid; nil if it is valid by now.
    var sentence: String? {
        let now = Int64(time(nil))
        if view.expires <= now {
            return "The server's certificate expired at \(TargetAccount.text(Int(view.expires)))."
        }
        guard view.begins > now else { return nil }
        return "The server's certificate is valid only from \(TargetAccount.text(Int(view.begins)))."
    }
}
