// SPDX-License-Identifier: Apache-2.0
#if !hasFeature(Embedded)
internal import MPinWire

// Results of an application's own making, for its tests and previews.

extension AuthenticationResult {
    /// Makes the result of a login, for tests and previews of an application.
    ///
    /// - Parameter data: the application's answer, a JSON object.
    /// - Throws: RESPONSE_PARSE_ERROR for any other text.
    public init(data: String = "{}") throws(MPinError) {
        do throws(WireError) {
            self.init(login: AcceptedLogin(answer: try AuthenticateResponse(ByteText(data).bytes.span), otp: nil))
        } catch { throw Endpoint.authenticate.unreadable }
    }
}

extension SessionDetails {
    /// Makes details of a session, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - prerollID: an identity that the session suggests.
    ///   - appName: the name of the application.
    ///   - appLogoURL: the URL of its logo.
    ///   - requester: who requests the login.
    public init(prerollID: String = "", appName: String, appLogoURL: String = "", requester: Requester? = nil) {
        self.init(
            prerollID: prerollID, appName: appName, appLogoURL: appLogoURL, requester: requester, digest: nil)
    }
}

extension SessionDetails.Requester {
    /// Makes a requester, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - isVerified: whether the server knows the host.
    ///   - host: the host's name.
    ///   - account: the account on that host.
    ///   - service: the service that requests the login.
    ///   - address: the address of the request.
    public init(
        verified isVerified: Bool, host: String? = nil, account: String? = nil, service: String? = nil,
        address: String? = nil
    ) {
        self.init(isVerified: isVerified, host: host, account: account, service: service, address: address)
    }
}

extension OwnDevices {
    /// Makes a list of devices, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - devices: the devices, oldest first.
    ///   - backupCodes: how many backup codes are valid.
    public init(_ devices: [OwnDevice], backupCodes: Int = 0) {
        self.init(devices: devices, backupCodes: backupCodes)
    }
}

extension OwnDevice {
    /// Makes a device, for tests and previews of an application.
    ///
    /// - Parameters:
    ///   - number: its number.
    ///   - name: its name.
    ///   - state: the server's word for its state.
    ///   - created: when it was registered.
    ///   - isCurrent: whether it requested the list.
    public init(
        _ number: Int, name: String, state: String = "REGISTERED", created: String = "1970-01-01T00:00:00Z",
        isCurrent: Bool = false
    ) {
        self.init(number: number, name: name, state: state, created: created, isCurrent: isCurrent)
    }
}
#endif
