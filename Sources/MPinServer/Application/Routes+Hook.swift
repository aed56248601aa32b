internal import Logging
internal import MPinCrypto
internal import MPinWire

/// Registrations where an application of the site verifies.
extension Routes {
    /// What comes of a request that concerns it; nil for any other.
    func hookResult(of request: Request, _ segments: [String], _ hook: HookVerification) throws -> RouteResult? {
        if request.method == "POST", segments.count == 2, segments[0] == "user" {
            let mpinID = try mpinID(segments[1])
            let message = try input(400) { () throws(WireError) in try ActivationRequest.decode(request.body.span) }
            guard registrations.rateLimiter.allows(request.source, at: clock.monotonic()) else {
                throw Refusal.rateLimited
            }
            let isActive = try hook.activate(
                try Hash.sha256(mpinID.bytes), activateKey: message.activateKey.bytes, source: request.source,
                detail: "by the application")
            guard isActive else {
                registrations.rateLimiter.charge(request.source, at: clock.monotonic())
                throw Refusal(401, "No such registration, or not its key")
            }
            return .now(.empty)
        }
        guard request.method == "PUT", 2...3 ~= segments.count, segments[0] == "rps", segments[1] == "user" else {
            return nil
        }
        // The application may take its time; the threads of the logins must not wait for it.
        return hook.hook.wait { response(to: request, segments, hook) }
    }

    private func response(to request: Request, _ segments: [String], _ hook: HookVerification) -> Response {
        do {
            return try response(to: request, segments)
        } catch let refusal as Refusal {
            return .refusal(refusal)
        } catch {
            hook.logger.error("request failed", metadata: ["reason": "\(error)"])
            return .refusal(.failure)
        }
    }
}
