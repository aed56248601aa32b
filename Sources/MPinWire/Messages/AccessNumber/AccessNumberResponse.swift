// SPDX-License-Identifier: Apache-2.0

/// The number, or the session code in a URL, by which a login on a device reaches a waiting session.
package struct AccessNumberResponse: Sendable {
    /// The form in which the user sees the code.
    package enum Name: Sendable {
        /// Digits to type.
        case number(String)
        /// A URL to scan; the session code follows its `#`.
        case url(String)
    }

    package let name: Name
    /// The waiting side's own handle, for polling.
    package let webOTT: HexText
    /// The lifetime in seconds.
    package let ttlSeconds: Int
    /// The server's time, in milliseconds since 1970; 0 if it was not sent.
    package let startMilliseconds: Int

    package init(name: Name, webOTT: HexText, ttlSeconds: Int, startMilliseconds: Int) {
        (self.name, self.webOTT, self.ttlSeconds) = (name, webOTT, ttlSeconds)
        self.startMilliseconds = startMilliseconds
    }

    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        switch name {
        case .number(let number): writer.add(.accessNumber, number)
        case .url(let url): writer.add(.qrURL, url)
        }
        writer.add(.webOTT, webOTT)
        writer.add(.ttlSeconds, ttlSeconds)
        writer.add(.localTimeStart, startMilliseconds)
        let (life, isTooLong) = ttlSeconds.multipliedReportingOverflow(by: 1000)
        let (end, isTooLate) = startMilliseconds.addingReportingOverflow(life)
        writer.add(.localTimeEnd, isTooLong || isTooLate ? Int.max : end)
        return writer.finish()
    }
}
