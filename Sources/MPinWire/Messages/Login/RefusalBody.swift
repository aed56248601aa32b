// SPDX-License-Identifier: Apache-2.0

/// The optional body of an answer whose status is not 200.
///
/// It is only for display: the verdict is the status. So reading never fails, and unreadable members count as missing.
package struct RefusalBody: Sendable {
    /// How many wrong PINs are left, 0 to 99.
    package let attemptsLeft: Int?
    /// The server's message; not yet safe to show.
    package let message: String?
    /// The reason why an administrator revoked the registration; not yet safe to show.
    package let reason: String?
    /// How many seconds to wait before another try.
    package let retryAfter: Int?
    /// The server's time, in milliseconds since 1970-01-01 UTC, if it refuses a direct login because of its time; an
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

    /// The body of a server's answer.
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

    /// Reads a server's body.
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

    /// Reads only the reason why a registration was revoked.
    package static func reason(in body: Span<UInt8>) -> ByteText? {
        do throws(WireError) {
            return try JSONObject(body, allowsEmpty: true).displayText(.reason, in: body)
        } catch {
            return nil
        }
    }

    /// Reads only the number of seconds to wait before another try, at most a day.
    package static func retryAfter(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let seconds = try JSONObject(body, allowsEmpty: true).displayInteger(.retryAfter, in: body)
            return seconds.flatMap { 1...86_400 ~= $0 ? $0 : nil }
        } catch {
            return nil
        }
    }

    /// Reads only the server's time.
    package static func nowTime(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let time = try JSONObject(body, allowsEmpty: true).displayInteger(.nowTime, in: body)
            return time.flatMap { $0 > 0 ? $0 : nil }
        } catch {
            return nil
        }
    }

    /// Reads only how many wrong PINs are left.
    package static func attemptsLeft(in body: Span<UInt8>) -> Int? {
        do throws(WireError) {
            let left = try JSONObject(body, allowsEmpty: true).displayInteger(.attemptsLeft, in: body)
            return left.flatMap { 0...99 ~= $0 ? $0 : nil }
        } catch {
            return nil
        }
    }
}
