// SPDX-License-Identifier: Apache-2.0

package struct OneTimePasswordTimes: Sendable, Equatable {
    /// When it expires, in milliseconds since 1970.
    package let expireMilliseconds: Int
    /// The lifetime in seconds.
    package let ttlSeconds: Int
    /// The server's time, in milliseconds since 1970.
    package let nowMilliseconds: Int

    package init(expireMilliseconds: Int, ttlSeconds: Int, nowMilliseconds: Int) {
        (self.expireMilliseconds, self.ttlSeconds) = (expireMilliseconds, ttlSeconds)
        self.nowMilliseconds = nowMilliseconds
    }

    /// Reads the times in an application's answer; nil unless all three are above 0.
    init?(_ object: JSONObject, in body: Span<UInt8>) {
        guard let expire = object.displayInteger(.expireTime, in: body), expire > 0,
            let ttl = object.displayInteger(.ttlSeconds, in: body), ttl > 0,
            let now = object.displayInteger(.nowTime, in: body), now > 0
        else { return nil }
        self.init(expireMilliseconds: expire, ttlSeconds: ttl, nowMilliseconds: now)
    }
}

/// The format of a one-time password: exactly six decimal digits.
package enum OneTimePasswordFormat {
    /// The digits in ASCII, or nil for a text of another form.
    package static func digits(_ text: ByteText) -> [UInt8]? {
        guard text.count == 6 else { return nil }
        for byte in text.bytes where !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte) { return nil }
        return text.bytes
    }
}
