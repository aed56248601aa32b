// SPDX-License-Identifier: Apache-2.0
import MPinWire

extension Samples {
    /// Our extensions for waiting sessions, browsers' sessions and one-time passwords.
    static let waiting: [Sample] = [
        Sample(
            name: "SessionDetails with a requester",
            members: [
                ("appName", "\"Demo\""), ("appLogoURL", "\"\""), ("prerollId", "\"\""),
                (
                    "requester",
                    """
                    {"host":"gate","account":"bob","service":"sshd","address":"198.51.100.7","verified":true}
                    """
                ),
            ], required: [:]
        ) { try SessionDetailsResponse.decode($0.span).encode() },
        Sample(
            name: "SessionRequest",
            members: [("account", "\"bob\""), ("service", "\"sshd\""), ("address", "\"198.51.100.7\"")], required: [:]
        ) { try SessionRequest.decode($0.span).encode() },
        Sample(
            name: "LogoutRequest",
            members: [("userId", "\"bob@example.net\""), ("sessionToken", "\"\(digits(16))\"")],
            required: ["sessionToken": Wrong.token, "userId": Wrong.text]
        ) { try LogoutRequest.decode($0.span)?.encode() ?? Array("{}".utf8) },
        Sample(
            name: "OneTimePasswordRequest", members: [("userId", "\"bob@example.net\""), ("otp", "\"012345\"")],
            required: ["userId": Wrong.text, "otp": Wrong.text]
        ) { try OneTimePasswordRequest.decode($0.span).encode() },
        Sample(name: "UserAnswer", members: [("userId", "\"bob@example.net\"")], required: ["userId": Wrong.text]) {
            try UserAnswer.decode($0.span).encode()
        },
        Sample(
            name: "UserAnswer for a browser",
            members: [("userId", "\"bob@example.net\""), ("deviceName", "\"laptop\""), ("created", "1750000000")],
            required: ["userId": Wrong.text]
        ) { try UserAnswer.decode($0.span).encode() },
    ]
}
