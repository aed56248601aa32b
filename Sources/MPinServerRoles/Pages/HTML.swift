// SPDX-License-Identifier: Apache-2.0

/// Functions for the pages.
enum HTML {
    /// Escapes a text for an element or a quoted attribute.
    static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(scalar)
            }
        }.joined()
    }

    /// The text of a page.
    static func page(title: String, head: [String], body: String) -> String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        \((["<title>\(title)</title>"] + head).joined(separator: "\n"))
        </head>
        <body>
        <main>
        \(body)
        </main>
        </body>
        </html>

        """
    }

    static func stylesheet(_ path: some StringProtocol) -> String { "<link rel=\"stylesheet\" href=\"\(path)\">" }

    /// An answer that is a page. It runs and fetches only what the policy allows.
    ///
    /// - Parameter policy: directives besides those that every page has.
    static func response(_ text: String, status: Int = 200, policy: String) -> Response {
        Response(
            status: status, contentType: "text/html; charset=utf-8", body: Array(text.utf8),
            headers: [
                ("Content-Security-Policy", "default-src 'none'; \(policy); base-uri 'none'; frame-ancestors 'none'"),
                ("Referrer-Policy", "no-referrer"), ("X-Frame-Options", "DENY"),
                ("Cross-Origin-Opener-Policy", "same-origin"),
            ])
    }
}
