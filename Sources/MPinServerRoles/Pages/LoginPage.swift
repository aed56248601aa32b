// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinCrypto
internal import QRCodes

/// The page at the root, where a device signs a browser in, and its assets.
struct LoginPage: Sendable {
    let response: Response
    let publicURL: String

    init(serviceName: String, publicURL: String) {
        self.publicURL = publicURL
        response = HTML.response(
            PageText.page(serviceName: serviceName),
            policy: "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'none'; "
                + "require-trusted-types-for 'script'")
    }

    static let stylesheet = asset(PackageResources.mpin_css, "text/css; charset=utf-8")
    static let script = asset(PackageResources.mpin_js, "text/javascript; charset=utf-8")
    static let icon = asset(Array(PageText.icon.utf8), "image/svg+xml")

    /// The QR code of an access number: the address that a device scans instead of typing the digits.
    ///
    /// It is drawn for any well-formed number, so that it does not show which numbers are in use.
    func qrCode(_ query: String) -> Response? {
        guard query.hasPrefix("number="), !publicURL.isEmpty else { return nil }
        let number = query.dropFirst(7)
        guard AccessNumber.isValid(Array(number.utf8)), let code = QRCode("\(publicURL)#\(number)") else { return nil }
        return Self.asset(Array(code.svg.utf8), "image/svg+xml")
    }

    var redirection: Response {
        Response(
            status: 302, contentType: "text/plain; charset=utf-8", body: [],
            headers: [("Location", "\(root)\(ServerEndpoint.page.path)")])
    }

    /// A refusal as a page, for a browser at an unknown address. Nil for programs.
    func stray(_ refusal: Refusal, _ request: Request) -> Response? { Self.stray(refusal, request, root: root) }

    /// - Parameter root: the path before the sign-in page; nil for a server without one.
    static func stray(_ refusal: Refusal, _ request: Request, root: String?) -> Response? {
        guard refusal.status == 404 || refusal.status == 405,
            request.header("accept")?.lowercased().contains("text/html") == true
        else { return nil }
        return HTML.response(PageText.stray(root: root), status: refusal.status, policy: "style-src 'self'")
    }

    /// The path before all other paths in the public address.
    private var root: String {
        guard let scheme = publicURL.range(of: "://") else { return "" }
        return String(publicURL[scheme.upperBound...].drop { $0 != "/" })
    }

    private static func asset(_ bytes: [UInt8], _ type: String) -> Response {
        Response(
            status: 200, contentType: type, body: bytes,
            headers: [("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")])
    }
}
