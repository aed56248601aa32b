// How a server writes its settings, and tests read them.
extension ClientSettings {
    /// The settings every server has.
    package init(
        registerURL: String, signatureURL: String, certivoxURL: String, timePermitsURL: String,
        mpinAuthServerURL: String, authenticateURL: String
    ) {
        var writer = JSONWriter()
        writer.add(.registerURL, registerURL)
        writer.add(.signatureURL, signatureURL)
        writer.add(.certivoxURL, certivoxURL)
        writer.add(.timePermitsURL, timePermitsURL)
        writer.add(.mpinAuthServerURL, mpinAuthServerURL)
        writer.add(.authenticateURL, authenticateURL)
        writer.add(.accessNumberDigits, 7)
        writer.add(.accessNumberUseCheckSum, true)
        writer.add(.checkSum, 0)
        for field: MemberName in [.requestOTP, .setDeviceName, .useWebSocket, .useNFC] { writer.add(field, false) }
        writer.add(.usePermits, true)
        self.init(written: writer.finish())
    }

    /// Settings that were written here. Beyond the limits of a message there are none, which clients refuse.
    private init(written source: [UInt8]) {
        do throws(WireError) { self.init(source: source, object: try JSONObject(source.span)) } catch {
            self.init(source: Array("{}".utf8), object: JSONObject())
        }
    }

    /// Puts a member in place of the one of that name; nil takes it out.
    mutating func set(_ field: MemberName, json value: [UInt8]?) {
        var writer = JSONWriter()
        for other in MemberName.allCases where other != field {
            if let json = object.raw(other, in: source.span) { writer.add(other, json: json) }
        }
        if let value { writer.add(field, json: value) }
        self = ClientSettings(written: writer.finish())
    }

    private subscript(text field: MemberName) -> String? {
        get { text(field)?.string }
        set { set(field, json: newValue.map { JSONWriter.quoted($0) }) }
    }

    private subscript(flag field: MemberName, default value: Bool) -> Bool {
        get { flag(field, default: value) }
        set { set(field, json: Array((newValue ? "true" : "false").utf8)) }
    }

    private subscript(number field: MemberName, default value: Int) -> Int {
        get { integer(field) ?? value }
        set { set(field, json: JSONWriter.decimal(newValue)) }
    }

    /// Registration.
    package var registerURL: String {
        get { self[text: .registerURL] ?? "" }
        set { self[text: .registerURL] = newValue }
    }

    /// The first share of the client secret.
    package var signatureURL: String {
        get { self[text: .signatureURL] ?? "" }
        set { self[text: .signatureURL] = newValue }
    }

    /// The base of the second authority; its requests are appended to it.
    package var certivoxURL: String {
        get { self[text: .certivoxURL] ?? "" }
        set { self[text: .certivoxURL] = newValue }
    }

    /// The first share of the time permit; may be empty where permits are off.
    package var timePermitsURL: String {
        get { self[text: .timePermitsURL] ?? "" }
        set { self[text: .timePermitsURL] = newValue }
    }

    /// The store of second permit shares; nil or empty where there is none.
    package var timePermitsStorageURL: String? {
        get { self[text: .timePermitsStorageURL] }
        set { self[text: .timePermitsStorageURL] = newValue }
    }

    /// The base of pass 1 and pass 2.
    package var mpinAuthServerURL: String {
        get { self[text: .mpinAuthServerURL] ?? "" }
        set { self[text: .mpinAuthServerURL] = newValue }
    }

    /// The final step of a login.
    package var authenticateURL: String {
        get { self[text: .authenticateURL] ?? "" }
        set { self[text: .authenticateURL] = newValue }
    }

    /// The final step of a login by access number.
    package var mobileAuthenticateURL: String? {
        get { self[text: .mobileAuthenticateURL] }
        set { self[text: .mobileAuthenticateURL] = newValue }
    }

    package var appID: String? {
        get { self[text: .appID] }
        set { self[text: .appID] = newValue }
    }

    package var setupDoneURL: String? {
        get { self[text: .setupDoneURL] }
        set { self[text: .setupDoneURL] = newValue }
    }

    package var accessNumberURL: String? {
        get { self[text: .accessNumberURL] }
        set { self[text: .accessNumberURL] = newValue }
    }

    package var getAccessNumberURL: String? {
        get { self[text: .getAccessNumberURL] }
        set { self[text: .getAccessNumberURL] = newValue }
    }

    package var getQrURL: String? {
        get { self[text: .getQrURL] }
        set { self[text: .getQrURL] = newValue }
    }

    package var codeStatusURL: String? {
        get { self[text: .codeStatusURL] }
        set { self[text: .codeStatusURL] = newValue }
    }

    /// Where an old registration is revoked by a fresh login, an extension.
    package var revokeURL: String? {
        get { self[text: .revokeURL] }
        set { self[text: .revokeURL] = newValue }
    }

    /// How many digits an access number has, its check digit included.
    package var accessNumberDigits: Int {
        get { self[number: .accessNumberDigits, default: 7] }
        set { self[number: .accessNumberDigits, default: 7] = newValue }
    }

    /// The rule of the check digit; 0 means that clients do not check it.
    package var checkSum: Int {
        get { self[number: .checkSum, default: 0] }
        set { self[number: .checkSum, default: 0] = newValue }
    }

    package var accessNumberUseCheckSum: Bool {
        get { self[flag: .accessNumberUseCheckSum, default: true] }
        set { self[flag: .accessNumberUseCheckSum, default: true] = newValue }
    }

    package var requestOTP: Bool {
        get { self[flag: .requestOTP, default: false] }
        set { self[flag: .requestOTP, default: false] = newValue }
    }

    /// Whether a login needs a time permit.
    package var usePermits: Bool {
        get { usesPermits }
        set { self[flag: .usePermits, default: true] = newValue }
    }

    /// What the server can do beyond the protocol of 2016, an extension.
    package var extensions: [String] {
        get { (try? object.texts(.extensions, in: source.span)) ?? [] }
        set {
            var array = JSONWriter()
            array.add(.extensions, newValue)
            let written = ClientSettings(written: array.finish())
            set(.extensions, json: newValue.isEmpty ? nil : written.object.raw(.extensions, in: written.source.span))
        }
    }
}
