// SPDX-License-Identifier: Apache-2.0
import MPinWire

extension Samples {
    static let challenge = "01" + digits(31)

    static let login: [Sample] = [
        Sample(
            name: "PassOneRequest",
            members: [
                ("pass", "1"), ("mpin_id", "\"\(mpinIDText)\""), ("UT", "\"\(pointDigits)\""),
                ("U", "\"\(pointDigits)\""),
            ],
            required: [
                "mpin_id": ["\"\"", "\"7\"", "\"xx\"", "true"], "U": Wrong.point,
                "UT": Wrong.point.filter { $0 != "\"\"" },
            ]
        ) { try PassOneRequest.decode($0.span).encode() },
        Sample(
            name: "PassOneResponse",
            members: [
                ("y", "\"\(challenge)\""), ("message", "\"OK\""), ("version", "\"0.3\""), ("pass", "1"),
                ("passId", "\"0a0b\""),
            ],
            required: [
                "y": Wrong.hash + [
                    "\"\(String(repeating: "0", count: 64))\"", "\"\(String(repeating: "f", count: 64))\"",
                    "\"2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6d\"",
                    "\"2400000008702a0db0bddf647a6366d2c43fd6ee0cc906cebe11c0a636eb1f6e\"",
                ]
            ]
        ) { try PassOneResponse.decode($0.span).encode() },
        Sample(
            name: "PassTwoRequest",
            members: [
                ("pass", "2"), ("OTP", "false"), ("WID", "\"0\""), ("V", "\"\(pointDigits)\""),
                ("mpin_id", "\"\(mpinIDText)\""), ("passId", "\"0a0b\""),
            ], required: ["V": Wrong.point, "mpin_id": ["\"\"", "\"7\"", "\"xx\"", "true"]]
        ) { try PassTwoRequest.decode($0.span).encode() },
        Sample(
            name: "PassTwoResponse",
            members: [("version", "\"0.3\""), ("authOTT", "\"\(digits(16))\""), ("pass", "2"), ("OTP", "\"012345\"")],
            required: ["authOTT": Wrong.token]
        ) { try PassTwoResponse.decode($0.span).encode() },
        Sample(
            name: "AuthenticateRequest",
            members: [
                (
                    "mpinResponse",
                    "{\"version\" : \"0.3\", \"OTP\" : \"123456\", \"authOTT\" : \"\(digits(16))\", \"pass\" : 2}"
                ),
                ("revoke", "\"\(mpinIDText)\""),
            ],
            required: [
                "mpinResponse": ["true", "\"\"", "{\"authOTT\":1}", "{\"authOTT\":\"\"}", "{\"authOTT\":null}"]
            ]
        ) { try AuthenticateRequest.decode($0.span).encode() },
        Sample(
            name: "AuthenticateResponse",
            members: [
                ("status", "200"), ("message", "\"Authentication successful\""), ("userId", "\"bob@example.net\""),
                ("serverId", "\"c0ffee\""), ("logoutURL", "\"/logout\""), ("logoutData", "{\"a\":1}"),
                ("expireTime", "1772600000000"), ("ttlSeconds", "60"), ("nowTime", "1772599940000"),
                ("wrongSinceLastLogin", "2"),
            ], required: [:]
        ) {
            let answer = try AuthenticateResponse($0.span)
            return AuthenticateResponse.encode(
                userID: answer.userID?.string, serverID: answer.serverID, revoked: answer.revoked,
                message: answer.text(.message)?.string, logoutURL: answer.logoutURL?.string,
                logoutData: answer.logoutData, otpTimes: answer.otpTimes,
                wrongSinceLastLogin: answer.wrongSinceLastLogin, code: answer.text(.code)?.string)
        },
    ]

    static let device: [Sample] = [
        Sample(
            name: "DirectLoginRequest",
            members: [
                ("mpin_id", "\"\(mpinIDText)\""), ("U", "\"\(pointDigits)\""), ("V", "\"\(pointDigits)\""),
                ("time", "1772600000000"), ("purpose", "\"invite\""), ("argument", "\"900\""),
                ("signature", "\"\(digits(64))\""),
            ],
            required: [
                "mpin_id": ["\"\"", "\"7\"", "\"xx\"", "true"], "U": Wrong.point, "V": Wrong.point,
                "time": ["0", "-1", "\"1\"", "1.5", "99999999999999999999"],
                "purpose": ["\"\"", "\"other\"", "\"Login\"", "\"login\""],
                "signature": ["\"\"", "\"\(digits(63))\"", "\"\(digits(65))\"", "\"xx\""],
            ]
        ) { try DirectLoginRequest.decode($0.span).encode() },
        Sample(
            name: "DirectLoginRequest for an ssh certificate",
            members: [
                ("mpin_id", "\"\(mpinIDText)\""), ("U", "\"\(pointDigits)\""), ("V", "\"\(pointDigits)\""),
                ("time", "1772600000000"), ("purpose", "\"sshCertificate\""),
                ("argument", "\"\(SSHCertificatePurposeTests.key)\""), ("signature", "\"\(digits(64))\""),
            ], required: ["purpose": ["\"sshcertificate\"", "\"login\"", "\"devices\""]]
        ) { try DirectLoginRequest.decode($0.span).encode() },
        Sample(
            name: "DeviceStatusRequest",
            members: [
                ("mpin_id", "\"\(mpinIDText)\""), ("time", "1772600000000"), ("deviceSignature", "\"\(digits(64))\""),
            ],
            required: [
                "mpin_id": ["\"\"", "\"7\"", "\"xx\"", "true"],
                "time": ["0", "-1", "\"1\"", "1.5", "99999999999999999999"],
                "deviceSignature": ["\"\"", "\"\(digits(63))\"", "\"\(digits(65))\"", "\"xx\""],
            ]
        ) { try DeviceStatusRequest.decode($0.span).encode() },
        Sample(
            name: "DeviceStatusResponse", members: [("attemptsLeft", "2")],
            required: ["attemptsLeft": ["-1", "100", "\"2\"", "true"]]
        ) { try DeviceStatusResponse.decode($0.span).encode() },
    ]

    static let relyingParty: [Sample] = [
        Sample(
            name: "VerifyRequest",
            members: [
                ("expireTime", "\"2026-03-04T06:06:07Z\""), ("deviceName", "\"\""), ("resend", "false"),
                ("activateKey", "\"\(digits(32))\""), ("mpinId", "\"\(mpinIDText)\""), ("mobile", "1"),
                ("userId", "\"bob@example.net\""), ("userData", "\"\""),
            ],
            required: [
                "activateKey": Wrong.hash, "mpinId": ["\"\"", "true"], "userId": Wrong.text, "expireTime": Wrong.text,
            ]
        ) { try VerifyRequest.decode($0.span).encode() },
        Sample(name: "VerifyResponse", members: [("forceActivate", "true")], required: [:]) {
            try VerifyResponse.decode($0.span).encode()
        },
        Sample(
            name: "ActivationRequest", members: [("activateKey", "\"\(digits(32))\"")],
            required: ["activateKey": Wrong.hash]
        ) { try ActivationRequest.decode($0.span).encode() },
        Sample(
            name: "ServiceDescription",
            members: [
                ("url", "\"https://one.example\""), ("rps_prefix", "\"rps\""), ("logo_url", "\"\""),
                ("type", "\"online\""), ("name", "\"One\""),
            ],
            required: [
                "url": Wrong.text, "rps_prefix": Wrong.text, "logo_url": Wrong.text, "type": ["\"offline\""],
                "name": Wrong.text,
            ]
        ) { try ServiceDescription.decode($0.span).encode() },
    ]

    static let accessNumber: [Sample] = [
        Sample(
            name: "AccessNumberResponse",
            members: [
                ("ttlSeconds", "300"), ("accessNumber", "\"4241703\""), ("webOTT", "\"\(digits(16))\""),
                ("localTimeStart", "1772600000000"), ("localTimeEnd", "1772600300000"),
            ], required: ["ttlSeconds": ["0", "86401", "\"300\""], "webOTT": Wrong.token]
        ) { try AccessNumberResponse.decode($0.span).encode() },
        Sample(
            name: "AccessNumberResponse with a URL",
            members: [("ttlSeconds", "300"), ("qrUrl", "\"#ab\""), ("webOTT", "\"\(digits(16))\"")],
            required: ["qrUrl": Wrong.text]
        ) { try AccessNumberResponse.decode($0.span).encode() },
        Sample(
            name: "AccessPollRequest", members: [("webOTT", "\"\(digits(16))\"")], required: ["webOTT": Wrong.token]
        ) { try AccessPollRequest.decode($0.span).encode() },
        Sample(
            name: "AccessPollResponse",
            members: [
                ("status", "\"authenticate\""), ("redirectURL", "\"\""), ("userId", "\"\""),
                ("authOTT", "\"\(digits(16))\""), ("statusCode", "0"),
            ], required: ["authOTT": Wrong.token]
        ) { try AccessPollResponse.decode($0.span).encode() },
        Sample(
            name: "CodeStatusRequest",
            members: [("status", "\"user\""), ("wid", "\"4241703\""), ("userId", "\"bob@example.net\"")],
            required: ["status": ["\"x\""], "wid": Wrong.text, "userId": Wrong.text]
        ) { try CodeStatusRequest.decode($0.span).encode() },
        Sample(
            name: "CodeStatusRequest that denies", members: [("status", "\"denied\""), ("wid", "\"4241703\"")],
            required: ["status": ["\"x\""], "wid": Wrong.text]
        ) { try CodeStatusRequest.decode($0.span).encode() },
        Sample(
            name: "AccessPollResponse of a denied session",
            members: [
                ("status", "\"expired\""), ("redirectURL", "\"\""), ("userId", "\"\""), ("authOTT", "\"\""),
                ("statusCode", "0"), ("denied", "true"),
            ], required: [:]
        ) { try AccessPollResponse.decode($0.span).encode() },
        Sample(
            name: "OwnerRequest",
            members: [
                ("mpinResponse", "{\"version\" : \"0.3\", \"authOTT\" : \"\(digits(16))\", \"pass\" : 2}"),
                ("action", "\"revokeDevice\""), ("device", "3"),
            ],
            required: [
                "mpinResponse": ["true", "\"\"", "{\"authOTT\":1}"], "action": ["\"x\"", "true"],
                "device": ["0", "\"3\""],
            ]
        ) { try OwnerRequest.decode($0.span).encode() },
        Sample(
            name: "OwnerResponse",
            members: [
                (
                    "devices",
                    "[{\"number\" : 1, \"name\" : \"vm\", \"state\" : \"REGISTERED\", \"created\" : \"2026-01-01T00:00:00Z\", "
                        + "\"current\" : true}]"
                ), ("code", "\"AAAA\""), ("expires", "\"2026-01-01T00:00:00Z\""), ("codes", "[\"BBBB\"]"),
                ("batch", "2"),
                ("backupCodes", "10"), ("count", "1"),
            ], required: [:]
        ) { try OwnerResponse.decode($0.span).encode(userID: "alice", serverID: HexText(bytes: [1])) },
        Sample(
            name: "SessionDetails",
            members: [("PrerollId", "\"\""), ("AppLogoUrl", "\"http://127.0.0.1/i.png\""), ("AppName", "\"Demo\"")],
            required: [:]
        ) { try SessionDetailsResponse.decode($0.span).encode() },
    ]
}
