// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The services that answer the endpoints. The roles call each other directly, without private endpoints.
final class Services: Sendable {
    let context: ServerContext
    /// The client settings as JSON.
    let settings: [UInt8]
    let page: LoginPage
    let registrations: Registrar
    let permits: PermitIssuer
    /// Nil if it is on another host, which clients ask directly.
    let secondAuthority: Authority?
    let logins: TwoPassLogin
    let direct: DirectLoginService
    let application: Application
    let owner: OwnerService
    let crossDevice: CrossDeviceLogin
    /// Nil if no links verify registrations.
    let activation: ActivationLinks?
    /// Nil if no application of the site verifies registrations.
    let hook: HookVerification?
    /// What this server says about itself, as JSON; nil without a public address.
    let description: [UInt8]?

    init(
        context: ServerContext, settings: [UInt8], page: LoginPage, registrations: Registrar, permits: PermitIssuer,
        secondAuthority: Authority?, logins: TwoPassLogin, direct: DirectLoginService, application: Application,
        owner: OwnerService, crossDevice: CrossDeviceLogin, activation: ActivationLinks?, hook: HookVerification?,
        description: [UInt8]?
    ) {
        (self.context, self.settings, self.page) = (context, settings, page)
        (self.registrations, self.permits, self.secondAuthority) = (registrations, permits, secondAuthority)
        (self.logins, self.direct) = (logins, direct)
        (self.application, self.owner, self.crossDevice) = (application, owner, crossDevice)
        (self.activation, self.hook, self.description) = (activation, hook, description)
    }

    /// The settings with random digits, without which the mobile web client of 2016 does not start. Other clients
    /// ignore them.
    func seededSettings() throws -> [UInt8] {
        var seed = JSONWriter()
        seed.add(.seedValue, HexText(bytes: try Random.bytes(100)))
        return settings.dropLast() + [UInt8(ascii: ",")] + seed.finish().dropFirst()
    }

    /// Answers a request that may wait for the site's application. It uses no thread of other requests.
    func onHookThread(_ body: @escaping @Sendable () throws -> Response) throws -> RouteResult {
        guard let hook else { return .now(try body()) }
        return hook.client.wait { [context] in
            do { return try body() } catch { return .refusal(context.refusal(for: error)) }
        }
    }

    /// Answers a request of an enrollment. The answer has a proof if the client has a device key.
    ///
    /// - Parameters:
    ///   - mpinID: that in the path; empty if there is none.
    ///   - content: the body or the query, as it came.
    func enroll(
        _ request: EnrollmentRequest, mpinID: [UInt8] = [], content: [UInt8], hasKey: Bool,
        _ work: () throws -> RouteResult
    ) throws -> RouteResult {
        guard hasKey else { return try work() }
        let digest = try ServerStatement.enrollmentRequest(request.word, mpinID: mpinID, content: content)
        return context.proven(.enrollment, to: digest) { _ in try work() }
    }

    /// Proves which key the server has.
    func hello(_ request: HelloRequest) -> RouteResult {
        context.proven(.hello, to: request.challenge.bytes) { _ in
            .now(.json(HelloResponse(serverKey: HexText(bytes: context.key.publicKey)).encode()))
        }
    }
}
