/// What a browser sees at the root: a line of text and nothing that runs.
struct Page: Sendable {
    let response: Response

    init(serviceName: String) {
        let name = Self.escaped(serviceName)
        let text = """
            <!DOCTYPE html>
            <html lang="en">
            <head><meta charset="utf-8"><title>\(name)</title></head>
            <body><h1>\(name)</h1><p>This server checks logins. There is nothing to see here.</p></body>
            </html>

            """
        let policy = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        response = Response(
            status: 200, contentType: "text/html; charset=utf-8", body: Array(text.utf8),
            headers: [("Content-Security-Policy", policy)])
    }

    private static func escaped(_ text: String) -> String {
        text.map { character in
            switch character {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            default: String(character)
            }
        }.joined()
    }
}
