// SPDX-License-Identifier: Apache-2.0

// Settings as servers write them and tests read them.
extension ClientSettings {
    /// Makes settings with these texts, with the addresses first.
    package init(_ texts: [MemberName: String]) {
        var writer = JSONWriter()
        for field in ClientSettings.required + ClientSettings.optional { writer.add(field, ifPresent: texts[field]) }
        writer.add(.accessNumberDigits, 7)
        writer.add(.accessNumberUseCheckSum, true)
        writer.add(.checkSum, 0)
        for field: MemberName in [.requestOTP, .setDeviceName, .useWebSocket, .useNFC] { writer.add(field, false) }
        writer.add(.usePermits, true)
        self.init(written: writer.finish())
    }

    /// Reads settings written here. Beyond the limits of a message the result is empty, which clients refuse.
    private init(written source: [UInt8]) {
        do throws(WireError) { self.init(source: source, object: try JSONObject(source.span)) } catch {
            self.init(source: Array("{}".utf8), object: JSONObject())
        }
    }

    /// Replaces the member of a name; nil removes it.
    mutating func set(_ field: MemberName, json value: [UInt8]?) {
        var writer = JSONWriter()
        for other in MemberName.allCases where other != field {
            if let json = object.raw(other, in: source.span) { writer.add(other, json: json) }
        }
        if let value { writer.add(field, json: value) }
        self = ClientSettings(written: writer.finish())
    }

    /// A text, such as an address; nil if there is none.
    package subscript(_ field: MemberName) -> String? {
        get { text(field)?.string }
        set { set(field, json: newValue.map { JSONWriter.quoted($0) }) }
    }

    /// A flag; the default if it is missing.
    package subscript(flag field: MemberName, default value: Bool = false) -> Bool {
        get { flag(field, default: value) }
        set { set(field, json: Array((newValue ? "true" : "false").utf8)) }
    }

    /// A whole number; nil if it is missing.
    package subscript(number field: MemberName) -> Int? {
        get { integer(field) }
        set { set(field, json: newValue.map { JSONWriter.decimal($0) }) }
    }

    /// The extensions that the server names, as far as they are known here; an extension itself.
    package var extensions: [ProtocolExtension] {
        get { ProtocolExtension.allCases.filter { offers($0) } }
        set {
            var array = JSONWriter()
            array.add(.extensions, newValue.map { $0.rawValue.description })
            let written = ClientSettings(written: array.finish())
            set(.extensions, json: newValue.isEmpty ? nil : written.object.raw(.extensions, in: written.source.span))
        }
    }
}

extension ClientSettings {
    /// Whether the server offers an extension.
    @inline(never)
    package func offers(_ extension: ProtocolExtension) -> Bool {
        let body = source.span
        guard let names = try? object.elements(.extensions, in: body) else { return false }
        return names.contains { `extension`.rawValue.matches(JSONText.bytes($0, in: body).span) }
    }

    /// A member of any name as a string: numbers without their fraction, `true` or `false`, and an empty string if it
    /// is missing, null, an array or an object.
    package func parameter(_ name: String) -> String {
        let body = source.span
        guard let value = object.member(named: ByteText(name), in: body) else { return "" }
        switch value.kind {
        case .plainText, .escapedText: return ByteText(JSONText.bytes(value, in: body)).string
        case .yes: return "true"
        case .no: return "false"
        case .number:
            let whole = value.range.prefix {
                UInt8(ascii: "0")...UInt8(ascii: "9") ~= body[$0] || body[$0] == UInt8(ascii: "-")
            }
            return ByteText(whole.map { body[$0] }).string
        case .null, .array, .object: return ""
        }
    }
}
