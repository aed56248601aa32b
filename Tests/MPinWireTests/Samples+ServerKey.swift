// SPDX-License-Identifier: Apache-2.0
import MPinWire

extension Samples {
    /// Our extensions with which a server proves its key, and a client that it knows an enrollment code.
    static let serverKey: [Sample] = [
        Sample(
            name: "HelloRequest", members: [("challenge", "\"\(digits(32))\"")], required: ["challenge": Wrong.hash]
        ) { try HelloRequest.decode($0.span).encode() },
        Sample(
            name: "HelloResponse", members: [("serverKey", "\"\(pointDigits)\"")],
            required: ["serverKey": ["\"\"", "\"\(digits(64))\"", "\"\(digits(66))\"", "\"xx\"", "true"]]
        ) { try HelloResponse.decode($0.span).encode() },
        Sample(
            name: "RegisterRequest with a NamedCode",
            members: [
                ("userId", "\"bob@example.net\""), ("mobile", "1"), ("deviceName", "\"Bob's laptop\""),
                ("deviceKey", "\"\(pointDigits)\""), ("codeName", "\"\(digits(16))\""),
                ("codeProof", "\"\(digits(32))\""),
            ],
            required: [
                "userId": ["\"\"", "true"], "codeProof": Wrong.hash,
                "deviceKey": ["\"\"", "\"\(digits(64))\"", "\"\(digits(66))\"", "\"xx\"", "true"],
            ]
        ) { try RegisterRequest.decode($0.span).encode() },
    ]
}
