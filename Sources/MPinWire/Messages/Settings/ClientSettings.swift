// SPDX-License-Identifier: Apache-2.0

/// A server's settings for its clients: the address for each request, and the options.
///
/// They are checked when they are read, and members are looked up on request: a login needs few of the many members, so
/// storing the text takes less code than parsing it. Servers make settings from texts by member names, in
/// `ClientSettings+Strings.swift`. URLs are stored as they were sent; the client completes them.
package struct ClientSettings: Sendable {
    var source: [UInt8]
    var object: JSONObject

    /// Texts that every server sends.
    static var required: [MemberName] {
        [.registerURL, .signatureURL, .certivoxURL, .mpinAuthServerURL, .authenticateURL]
    }

    /// Texts that may be missing.
    static var optional: [MemberName] { MemberName.optionalSettings }

    /// Other members that are cached for later logins if they are a number or a flag.
    private static var plain: [MemberName] {
        [
            .usePermits, .accessNumberDigits, .accessNumberUseCheckSum, .checkSum, .requestOTP, .setDeviceName,
            .useWebSocket, .useNFC,
        ]
    }

    /// Reads settings. Members that only affect a user interface may be of any type.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ClientSettings {
        let object = try JSONObject(body)
        for field in ClientSettings.required { let _: ByteText = try object.text(field, in: body) }
        for field in ClientSettings.optional { let _: ByteText? = try object.optionalText(field, in: body) }
        if try object.optionalFlag(.usePermits, in: body) ?? true { _ = try object.required(.timePermitsURL, in: body) }
        for field: MemberName in [.supportedProtocols, .extensions] { try object.requireTexts(field, in: body) }
        _ = try object.optionalHexText(.serverID, count: 1...64, in: body)
        _ = try object.optionalHexText(.serverKey, count: keySize, in: body)
        return ClientSettings(source: ByteText(body).bytes, object: object)
    }

    /// A text as it was sent; nil if the server sent none.
    package func text(_ field: MemberName) -> ByteText? { object.displayText(field, in: source.span) }

    /// A flag; the default if it is missing or of another type.
    package func flag(_ field: MemberName, default value: Bool) -> Bool {
        object.displayFlag(field, default: value, in: source.span)
    }

    /// A whole number; nil if it is missing or of another type.
    package func integer(_ field: MemberName) -> Int? { object.displayInteger(field, in: source.span) }

    /// Whether a login needs a time permit.
    package var usesPermits: Bool { flag(.usePermits, default: true) }

    /// The server's permanent name, an extension.
    package var serverID: HexText? {
        get { do { return try object.optionalHexText(.serverID, count: 1...64, in: source.span) } catch { return nil } }
        set { set(.serverID, json: newValue.map { JSONWriter.quoted($0.digits) }) }
    }

    /// The server's public key, 65 bytes, as the settings claim it; an extension.
    package var serverKey: HexText? {
        get {
            do {
                return try object.optionalHexText(.serverKey, count: ClientSettings.keySize, in: source.span)
            } catch { return nil }
        }
        set { set(.serverKey, json: newValue.map { JSONWriter.quoted($0.digits) }) }
    }

    private static var keySize: ClosedRange<Int> { DeviceKeyFormat.publicKey...DeviceKeyFormat.publicKey }

    /// The settings as a body: the known members, without arrays and objects.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        for field in ClientSettings.required { writer.add(field, ifPresent: text(field)) }
        for field in ClientSettings.optional { writer.add(field, ifPresent: text(field)) }
        for field in ClientSettings.plain {
            guard let value = object.optional(field, in: source.span), value.isPlain else { continue }
            writer.add(field, json: ByteText(source.span.extracting(value.range)).bytes)
        }
        for field: MemberName in [.supportedProtocols, .extensions, .serverID, .serverKey] {
            guard object.optional(field, in: source.span) != nil, let json = object.raw(field, in: source.span) else {
                continue
            }
            writer.add(field, json: json)
        }
        return writer.finish()
    }
}

extension JSONObject {
    fileprivate func requireTexts(_ field: MemberName, in body: Span<UInt8>) throws(WireError) {
        guard optional(field, in: body) != nil else { return }
        for element in try elements(field, in: body) { _ = try JSONObject.text(element, field, in: body) }
    }
}
