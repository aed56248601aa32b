// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// The page behind the link of a mail. It works without a script.
enum ActivationPage {
    /// Asks whether the registration is the reader's. It does not show the M-Pin ID.
    case confirmation(LinkedRegistration, token: String)
    case done
    case alreadyConfirmed
    /// A token that never existed or has expired.
    case unknown
    case rateLimited

    func response(status: Int, serviceName: String) -> Response {
        let name = HTML.escaped(serviceName)
        let text = HTML.page(
            title: "\(title) \u{2013} \(name)", head: [HTML.stylesheet(ServerEndpoint.stylesheet.relativePath)],
            body: """
                <h1>\(name)</h1>
                <h2>\(title)</h2>
                \(content(name))
                """)
        return HTML.response(text, status: status, policy: "style-src 'self'; form-action 'self'")
    }

    private var title: String {
        switch self {
        case .confirmation: "Is this you?"
        case .done: "Confirmed"
        case .alreadyConfirmed: "Already confirmed"
        case .unknown: "This link does not work"
        case .rateLimited: "Too many attempts"
        }
    }

    private func content(_ name: String) -> String {
        switch self {
        case .confirmation(let registration, let token):
            """
            <p>A device asks for permission to sign in to \(name) from now on, as \
            <strong>\(HTML.escaped(registration.user))</strong>.</p>
            <dl>
            \(rows(registration))
            </dl>
            <p>Confirm only if you started this yourself. Anyone with the device can then sign in as you.</p>
            <form method="post" action="\(ServerEndpoint.activate.relativePath)">
            <input type="hidden" name="t" value="\(HTML.escaped(token))">
            <button type="submit">Yes, it is my device</button>
            </form>
            <p class="quiet">If it is not yours, close this page. The device is then not confirmed.</p>
            """
        case .done: "<p>Return to the device. It continues automatically. You can close this page.</p>"
        case .alreadyConfirmed:
            "<p>This device is already confirmed. Continue on the device. You can close this page.</p>"
        case .unknown:
            "<p>It has expired, was already used, or is incomplete. "
                + "You can request another mail on the device.</p>"
        case .rateLimited: "<p>Try again in a few minutes.</p>"
        }
    }

    private func rows(_ registration: LinkedRegistration) -> String {
        var rows = [("Device", registration.device), ("Started", registration.created.readable)]
        if let source = registration.source { rows.append(("From", source)) }
        return rows.filter { !$0.1.isEmpty }
            .map { "<dt>\($0.0)</dt><dd>\(HTML.escaped($0.1))</dd>" }.joined(separator: "\n")
    }
}
