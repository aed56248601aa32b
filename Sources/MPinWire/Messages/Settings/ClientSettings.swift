/// What a server tells its clients about itself: where each request goes and what is expected.
///
/// URLs stand here as they were sent; the rules for making them whole belong to whoever makes requests.
package struct ClientSettings: Sendable {
    /// Registration.
    package var registerURL: String
    /// The first share of the client secret.
    package var signatureURL: String
    /// The base of the second authority; its requests are appended to it.
    package var certivoxURL: String
    /// The first share of the time permit; may be empty where permits are off.
    package var timePermitsURL: String
    /// The store of second permit shares; nil or empty where there is none.
    package var timePermitsStorageURL: String?
    /// The base of pass 1 and pass 2.
    package var mpinAuthServerURL: String
    /// The final step of a login.
    package var authenticateURL: String
    /// The final step of a login by access number.
    package var mobileAuthenticateURL: String?
    package var appID: String?
    package var setupDoneURL: String?
    package var accessNumberURL: String?
    package var getAccessNumberURL: String?
    package var getQrURL: String?
    package var codeStatusURL: String?
    /// How many digits an access number has, its check digit included.
    package var accessNumberDigits = 7
    package var accessNumberUseCheckSum = true
    /// The rule of the check digit; 0 means that clients do not check it.
    package var checkSum = 0
    package var requestOTP = false
    package var setDeviceName = false
    package var useNFC = false
    /// Whether a login needs a time permit.
    package var usePermits = true
    package var supportedProtocols: [String]?
    /// The lasting name of this server, an extension.
    package var serverID: HexText?
    /// What the server can do beyond the protocol of 2016, an extension.
    package var extensions: [String] = []
    /// Where an old registration is revoked by a fresh login, an extension.
    package var revokeURL: String?

    /// The settings every server has.
    package init(
        registerURL: String, signatureURL: String, certivoxURL: String, timePermitsURL: String,
        mpinAuthServerURL: String, authenticateURL: String
    ) {
        self.registerURL = registerURL
        self.signatureURL = signatureURL
        self.certivoxURL = certivoxURL
        self.timePermitsURL = timePermitsURL
        self.mpinAuthServerURL = mpinAuthServerURL
        self.authenticateURL = authenticateURL
    }

    /// Whether the server names an extension.
    package func offers(_ name: String) -> Bool {
        extensions.contains { $0.utf8.elementsEqual(name.utf8) }
    }
}
