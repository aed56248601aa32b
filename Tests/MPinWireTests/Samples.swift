// SPDX-License-Identifier: Apache-2.0
import MPinWire

/// Messages in the forms that clients and servers of 2016 send, with data of our own.
enum Samples {
    static let mpinIDText = digits(120)

    static let all: [Sample] =
        registration + permits + serverSecrets + login + device + serverKey + relyingParty + accessNumber + waiting

    static let registration: [Sample] = [
        Sample(
            name: "ClientSettings",
            members: [
                ("requestOTP", "false"), ("mpinAuthServerURL", "\"/rps\""), ("timePermitsURL", "\"/rps/timePermit\""),
                ("useWebSocket", "false"), ("seedValue", "\"\(digits(100))\""), ("accessNumberDigits", "7"),
                ("accessNumberURL", "\"/rps/access\""), ("registerURL", "\"/rps/user\""), ("cSum", "1"),
                ("signatureURL", "\"/rps/signature\""), ("certivoxURL", "\"https://two.example/v3/\""),
                ("authenticateURL", "\"/mpinAuthenticate\""), ("mobileAuthenticateURL", "\"/rps/authenticate\""),
                ("appID", "\"\(digits(16))\""), ("timePermitsStorageURL", "\"\""), ("extensions", "[\"revoke\"]"),
                ("serverId", "\"c0ffee\""), ("revokeURL", "\"/revoke\""),
            ],
            required: [
                "registerURL": Wrong.text, "signatureURL": Wrong.text, "certivoxURL": Wrong.text,
                "timePermitsURL": Wrong.text, "mpinAuthServerURL": Wrong.text, "authenticateURL": Wrong.text,
            ]
        ) { try ClientSettings.decode($0.span).encode() },
        Sample(
            name: "RegisterRequest",
            members: [
                ("userId", "\"bob@example.net\""), ("mobile", "1"), ("deviceName", "\"Bob's laptop\""),
                ("userData", "{\"a\":[1,null]}"), ("activateCode", "\"7F3K\""), ("regOTT", "\"\(digits(16))\""),
                ("deviceKey", "\"04\(digits(64))\""), ("time", "1772600000000"),
                ("deviceSignature", "\"\(digits(64))\""),
            ], required: ["userId": ["\"\"", "true"]]
        ) { try RegisterRequest.decode($0.span).encode() },
        Sample(
            name: "RegisterResponse",
            members: [
                ("expireTime", "\"2026-03-04T06:06:07.123456\""), ("active", "false"), ("regOTT", "\"\(digits(16))\""),
                ("nowTime", "\"2026-03-04T05:06:07\""), ("mpinId", "\"\(mpinIDText)\""), ("device", "3"),
                ("backupCodes", "9"),
            ], required: ["mpinId": ["\"\"", "\"7b7\"", "true"], "regOTT": Wrong.token, "active": []]
        ) { try RegisterResponse.decode($0.span).encode() },
        Sample(
            name: "SignatureResponse",
            members: [
                ("clientSecretShare", "\"\(pointDigits)\""),
                ("params", "\"mobile=1&expires=2026-03-04T05%3A06%3A07Z&app_id=ab&hash_user_id=\""),
            ],
            required: [
                "clientSecretShare": Wrong.point,
                "params": ["\"\"", "\"a b\"", "\"a=1#x\"", "\"a\\r\\nHost: x\"", "\"ä\"", "true"],
            ]
        ) { try withPoint($0) { try SignatureResponse.decode($0, share: &$1).encode(share: $1.span) } },
        Sample(
            name: "ClientSecretResponse",
            members: [("clientSecret", "\"\(pointDigits)\""), ("message", "\"OK\""), ("version", "\"3\"")],
            required: ["clientSecret": Wrong.point]
        ) { try withPoint($0) { try again(.clientSecret, $0, &$1) } },
        Sample(
            name: "MPinIDRecord",
            members: [
                ("mobile", "1"), ("issued", "\"2026-03-04 05:06:07.123456\""), ("userID", "\"bob@example.net\""),
                ("salt", "\"\(digits(16))\""),
            ], required: ["userID": ["\"\"", "true"]]
        ) { try MPinIDRecord.decode($0.span).encode() },
    ]

    private static func again(
        _ kind: ShareResponse, _ body: Span<UInt8>, _ share: inout MutableSpan<UInt8>
    ) throws(WireError) -> [UInt8] {
        try kind.decode(body, share: &share)
        return kind.encode(share: share.span)
    }

    static let permits: [Sample] = [
        Sample(
            name: "TimePermitResponse",
            members: [
                ("version", "\"0.3\""), ("storageId", "\"\(digits(32))\""), ("signature", "\"\(digits(32))\""),
                ("date", "20777"), ("message", "\"M-Pin Time Permit Generated\""), ("timePermit", "\"\(pointDigits)\""),
            ],
            required: [
                "date": ["0", "-1", "2147483648", "1e3", "20777.0", "99999999999999999999999", "\"20777\"", "true"],
                "timePermit": Wrong.point, "storageId": Wrong.hash, "signature": Wrong.hash,
            ]
        ) { try withPoint($0) { try TimePermitResponse.decode($0, share: &$1).encode(share: $1.span) } },
        Sample(
            name: "PermitShareResponse", members: [("message", "\"OK\""), ("timePermit", "\"\(pointDigits)\"")],
            required: ["timePermit": Wrong.point]
        ) { try withPoint($0) { try again(.timePermit, $0, &$1) } },
    ]

    static let serverSecrets: [Sample] = [
        Sample(
            name: "ServerSecretResponse",
            members: [("message", "\"OK\""), ("serverSecret", "\"\(digits(128))\""), ("startTime", "\"x\"")],
            required: ["serverSecret": ["\"\"", "\"00\"", "\"\(digits(127))\"", "\"\(digits(129))\"", "true", "7"]]
        ) { body in
            var share = [UInt8](repeating: 0xEE, count: ShareResponse.serverSecretSize)
            var span = share.mutableSpan
            do {
                return try again(.serverSecret, body.span, &span)
            } catch {
                for index in span.indices where span[index] != 0 { throw Leftover() }
                throw error
            }
        }
    ]

    /// Runs a reader that writes a secret point, and checks that nothing is left of it after an error.
    static func withPoint(
        _ body: [UInt8], _ read: (Span<UInt8>, inout MutableSpan<UInt8>) throws -> [UInt8]
    ) throws -> [UInt8] {
        var share = [UInt8](repeating: 0xEE, count: 65)
        var span = share.mutableSpan
        do {
            return try read(body.span, &span)
        } catch {
            for index in span.indices where span[index] != 0 { throw Leftover() }
            throw error
        }
    }

    /// A secret was left in the buffer after an error.
    struct Leftover: Error {}
}
