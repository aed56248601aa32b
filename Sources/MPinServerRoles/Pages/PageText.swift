// SPDX-License-Identifier: Apache-2.0

enum PageText {
    static func page(serviceName: String) -> String {
        let name = HTML.escaped(serviceName)
        let head = [
            "<link rel=\"icon\" href=\"\(ServerEndpoint.icon.relativePath)\">",
            HTML.stylesheet(ServerEndpoint.stylesheet.relativePath),
            "<script src=\"\(ServerEndpoint.script.relativePath)\" defer></script>",
        ]
        return HTML.page(
            title: name, head: head,
            body: """
                <h1>\(name)</h1>
                <noscript><p>This page needs JavaScript to check whether your device has approved the sign-in. You \
                do not need JavaScript to log in at a terminal.</p></noscript>

                <h2 id="waiting-title" tabindex="-1" hidden>Sign in with your device</h2>
                <h2 id="signed-in-title" tabindex="-1" hidden>Signed in as <bdi id="user"></bdi></h2>
                <h2 id="stopped-title" tabindex="-1" hidden></h2>
                <p id="status" role="status" aria-live="polite"></p>

                <section id="waiting" aria-labelledby="waiting-title" hidden>
                <div class="columns">
                <div>
                <p id="number-label">Enter this number on one of your enrolled devices:</p>
                <p id="number" aria-labelledby="number-label number"></p>
                <progress id="bar" max="1" value="1" aria-hidden="true"></progress>
                <p class="quiet" aria-hidden="true" id="left"></p>
                </div>
                <figure id="scan" hidden>
                <img id="symbol" width="184" height="184" alt="QR code with the address and the number of this page">
                <figcaption class="quiet">The same number, as a QR code</figcaption>
                </figure>
                </div>
                <p class="quiet command">At a terminal: <code id="command"></code>
                <button type="button" id="copy" class="small" hidden>Copy</button></p>
                <p class="quiet">Enter a number only if you opened the page yourself. A number from another person would \
                sign that person in as you.</p>
                </section>

                <section id="signed-in" aria-labelledby="signed-in-title" hidden>
                <dl>
                <dt>Service</dt><dd>\(name)</dd>
                <dt>Device</dt><dd id="device"></dd>
                <dt>Since</dt><dd id="since"></dd>
                </dl>
                <p>Sign out when you are done.</p>
                <button type="button" id="sign-out">Sign out</button>
                </section>

                <section id="stopped" aria-labelledby="stopped-title" hidden>
                <button type="button" id="again">Try again</button>
                </section>
                """)
    }

    /// The page at an unknown address.
    ///
    /// - Parameter root: the path before the sign-in page; nil for a server without one.
    static func stray(root: String?) -> String {
        let root = root.map(HTML.escaped)
        let link = root.map { "\n<p><a href=\"\($0)\(ServerEndpoint.page.path)\">Go to the sign-in page</a></p>" } ?? ""
        return HTML.page(
            title: "There is no page here",
            head: root.map { [HTML.stylesheet("\($0)\(ServerEndpoint.stylesheet.path)")] } ?? [],
            body: """
                <h1 class="title">There is no page here</h1>
                <p>The address is incomplete, or it is meant for programs.</p>\(link)
                """)
    }

    static let icon = """
        <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16">\
        <path d="M5 7V5a3 3 0 0 1 6 0v2" fill="none" stroke="#1f5fbf" stroke-width="1.6"/>\
        <rect x="3" y="7" width="10" height="7" rx="1.5" fill="#1f5fbf"/></svg>

        """
}
