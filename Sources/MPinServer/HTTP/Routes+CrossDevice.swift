internal import MPinWire

/// The routes of waiting sessions, of what becomes of them, and of one-time passwords.
extension Routes {
    /// Answers a request that concerns them; nil for any other.
    func waitingResponse(to request: Request, _ segments: [String]) throws -> Response? {
        switch (segments.count, segments.first, segments.last) {
        case (2, "rps", "getAccessNumber"):
            try allow(["POST"], request)
            return .json(try crossDevice.open(.number, request).encode())
        case (2, "rps", "getQrUrl"):
            try allow(["POST"], request)
            return .json(try crossDevice.open(.link, request).encode())
        case (2, "rps", "access"):
            try allow(["POST"], request)
            return .json((try poll(request) ?? .expired).encode())
        case (2, "rps", "accessnumber"):
            try allow(["POST"], request)
            let progress = try poll(request)
            if let handle = progress?.encodeHandle() { return .json(handle) }
            switch progress {
            case nil, .expired: throw Refusal(404, "Unknown or expired webOTT")
            default: throw Refusal(401, "Not authenticated yet")
            }
        case (2, "rps", "codeStatus"):
            try allow(["POST"], request)
            let message = try input(400) { () throws(WireError) in try CodeStatusRequest.decode(request.body.span) }
            return .json(try crossDevice.codeStatus(message, source: request.source))
        case (1, "service", _):
            try allow(["GET"], request)
            guard let service else { throw Refusal(403, "No public address is configured") }
            return .json(service)
        case (1, "session", _):
            try allow(["GET"], request)
            return .json(try application.session(request).encode())
        case (1, "logout", _):
            try allow(["GET", "POST"], request)
            // Following a link ends nothing: anybody could have made it.
            guard request.method == "POST" else { return page.redirection }
            return try application.logout(request)
        case (1, "otp", _):
            try allow(["POST"], request)
            let message = try input(400) { () throws(WireError) in
                try OneTimePasswordRequest.decode(request.body.span)
            }
            return .json(try application.redeem(message, source: request.source).encode())
        default: return nil
        }
    }

    private func poll(_ request: Request) throws -> AccessPollResponse? {
        let message = try input(400) { () throws(WireError) in try AccessPollRequest.decode(request.body.span) }
        return try crossDevice.poll(message, source: request.source)
    }
}
