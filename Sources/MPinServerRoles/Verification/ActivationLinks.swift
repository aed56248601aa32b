// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinServerStorage

/// The page behind a link that verifies a registration. GET asks for confirmation, and the POST of its button
/// activates.
///
/// A GET changes nothing, because mail scanners open every link.
struct ActivationLinks: ServerComponent {
    let context: ServerContext
    let verification: any LinkVerification

    func show(_ request: Request) throws -> Response {
        let token = token(in: request.query)
        guard let token, let registration = try verification.registration(token: token) else {
            return try unusable(token, request)
        }
        return page(.confirmation(registration, token: token), status: 200)
    }

    func activate(_ request: Request) throws -> Response {
        let form = String(decoding: request.body.prefix(1_024), as: UTF8.self)
        let token = token(in: form)
        guard let token, try verification.activate(token: token, source: request.source) else {
            return try unusable(token, request)
        }
        return page(.done, status: 200)
    }

    /// The answer to a used link, and the only answer for tokens that never existed or have expired.
    private func unusable(_ token: String?, _ request: Request) throws -> Response {
        if let token, try verification.isConfirmed(token: token) { return page(.alreadyConfirmed, status: 410) }
        guard limits.links.allows(request.source, at: clock.monotonic()) else { return page(.rateLimited, status: 429) }
        limits.links.charge(request.source, at: clock.monotonic())
        return page(.unknown, status: 404)
    }

    private func page(_ page: ActivationPage, status: Int) -> Response {
        page.response(status: status, serviceName: configuration.serviceName)
    }

    /// The member `t` of a query or form. It is hexadecimal, so it is never escaped.
    private func token(in form: String) -> String? {
        let values = form.split(separator: "&").filter { $0.hasPrefix("t=") }.map { $0.dropFirst(2) }
        guard values.count == 1, let value = values.first, value.utf8.count == verification.tokenDigits,
            value.utf8.allSatisfy({ "0123456789abcdef".utf8.contains($0) })
        else { return nil }
        return String(value)
    }
}

/// Finds and activates the registrations behind links.
protocol LinkVerification: Sendable {
    /// The number of hexadecimal digits of the token in a link.
    var tokenDigits: Int { get }

    /// The registration behind a token; nil if none waits.
    func registration(token: String) throws -> LinkedRegistration?

    /// Whether the registration behind a token is already confirmed.
    func isConfirmed(token: String) throws -> Bool

    /// Activates the registration behind a token, once.
    func activate(token: String, source: RequestSource) throws -> Bool
}
