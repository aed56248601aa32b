/// What may stand beside a status that is not 200.
///
/// For display only: the verdict is the status. So reading never fails, and what cannot be understood is nothing.
package struct RefusalBody: Sendable {
    /// How many wrong PINs remain, 0 to 99.
    package let attemptsLeft: Int?
    /// The server's own words; not yet fit to be shown.
    package let message: String?
    /// Why an administrator revoked the registration; not yet fit to be shown.
    package let reason: String?
    /// Seconds after which another try makes sense.
    package let retryAfter: Int?
    /// The server's time in milliseconds since 1970-01-01 UTC, beside the refusal of a direct login for its time; an
    /// extension.
    package let nowTime: Int?

    package init(
        attemptsLeft: Int? = nil, message: String? = nil, reason: String? = nil, retryAfter: Int? = nil,
        nowTime: Int? = nil
    ) {
        self.attemptsLeft = attemptsLeft
        self.message = message
        self.reason = reason
        self.retryAfter = retryAfter
        self.nowTime = nowTime
    }

    /// The body a server answers with.
    ///
    /// - Parameter status: the HTTP status, repeated in the body.
    package func encode(status: Int) -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.status, status)
        writer.add(.message, ifPresent: message)
        if let attemptsLeft { writer.add(.attemptsLeft, attemptsLeft) }
        writer.add(.reason, ifPresent: reason)
        writer.add(.retryAfter, ifPresent: retryAfter)
        writer.add(.nowTime, ifPresent: nowTime)
        writer.add(.version, ProtocolVersion.version)
        return writer.finish()
    }

    /// Reads what a server sent.
    package static func decode(_ body: Span<UInt8>) -> RefusalBody {
        do throws(WireError) {
            let object = try JSONObject(body, allowsEmpty: true)
            return RefusalBody(
                attemptsLeft: attemptsLeft(in: body), message: object.displayText(.message, in: body),
                reason: object.displayText(.reason, in: body), retryAfter: retryAfter(in: body),
                nowTime: nowTime(in: body))
        } catch {
            return RefusalBody()
        }
    }

    /// Reads why a registration was revoked, and nothing else.
    package static func reason(in body: Span<UInt8>) -> ByteText? {
        do throws(WireError) {
            return try JSONObject(body, allowsEmpty: true).displayText(.reason, in: body)
        } catch {
            return nil
        }
    }

    /// Reads after how many seconds another try makes sense, a day at most, and nothing else.
    package static func retryAfter(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let seconds = try JSONObject(body, allowsEmpty: true).displayInteger(.retryAfter, in: body)
            return seconds.flatMap { 1...86_400 ~= $0 ? $0 : nil }
        } catch {
            return nil
        }
    }

    /// Reads the server's time, and nothing else.
    package static func nowTime(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let time = try JSONObject(body, allowsEmpty: true).displayInteger(.nowTime, in: body)
            return time.flatMap { $0 > 0 ? $0 : nil }
        } catch {
            return nil
        }
    }

    /// Reads how many wrong PINs remain, and nothing else.
    package static func attemptsLeft(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let left = try JSONObject(body, allowsEmpty: true).displayInteger(.attemptsLeft, in: body)
            return left.flatMap { 0...99 ~= $0 ? $0 : nil }
        } catch {
            return nil
        }
    }
}
