// SPDX-License-Identifier: Apache-2.0

/// The optional body of an answer whose status is not 200.
///
/// It is only for display: the verdict is the status. So reading never fails, and unreadable members count as missing.
package struct RefusalBody: Sendable {
    /// How many wrong PINs are left, 0 to 99.
    package let attemptsLeft: Int?
    /// The server's message, which clients do not read.
    package let message: ByteText?
    /// The reason why an administrator revoked the registration; not yet safe to show.
    package let reason: ByteText?
    /// How many seconds to wait before another try, at most a day.
    package let retryAfter: Int?
    /// The server's time, in milliseconds since 1970-01-01 UTC, if it refuses a direct login because of its time; an
    /// extension.
    package let nowTime: Int?

    package init(
        attemptsLeft: Int? = nil, message: ByteText? = nil, reason: ByteText? = nil, retryAfter: Int? = nil,
        nowTime: Int? = nil
    ) {
        (self.attemptsLeft, self.message, self.reason, self.retryAfter) = (attemptsLeft, message, reason, retryAfter)
        self.nowTime = nowTime
    }

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

    @inline(never)
    package static func decode(_ body: Span<UInt8>) -> RefusalBody {
        do throws(WireError) {
            let object = try JSONObject(body, allowsEmpty: true)
            func number(_ field: MemberName, in range: ClosedRange<Int>) -> Int? {
                object.displayInteger(field, in: body).flatMap { range ~= $0 ? $0 : nil }
            }
            return RefusalBody(
                attemptsLeft: number(.attemptsLeft, in: 0...99), reason: object.displayText(.reason, in: body),
                retryAfter: number(.retryAfter, in: 1...86_400), nowTime: number(.nowTime, in: 1...Int.max))
        } catch { return RefusalBody() }
    }
}
