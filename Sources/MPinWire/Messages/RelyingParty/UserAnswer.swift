/// The user that a one-time password or session belongs to.
package struct UserAnswer: Sendable, Equatable {
    package let userID: String

    package init(userID: String) {
        self.userID = userID
    }

    /// The body a server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.userID, userID)
        return writer.finish()
    }

    /// Reads a server's answer.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> UserAnswer {
        UserAnswer(userID: try JSONObject(body).text(.userID, in: body))
    }
}
