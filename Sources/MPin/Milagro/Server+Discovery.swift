// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension HTTPTransport {
    /// Fetches a service's description before a server is chosen: its name and its server.
    func serviceDescription(of backend: Backend, until deadline: Deadline) throws(MPinError) -> ServiceDescription {
        try request(.service, backend.url(path: "/service"), until: deadline, ServiceDescription.decode)
    }

    /// Fetches a server's settings.
    func clientSettings(
        of backend: Backend, _ rpsPrefix: ByteText, until deadline: Deadline
    ) throws(MPinError) -> ClientSettings {
        let url = backend.url(path: "/" + rpsPrefix + "/clientSettings")
        return try request(.clientSettings, url, until: deadline, ClientSettings.decode)
    }
}

extension Server {
    /// Fetches who requests the login behind an access number or scanned code; nil if the server does not report it.
    func sessionDetails(
        of accessCode: ByteText, until deadline: Deadline
    ) throws(MPinError) -> SessionDetailsResponse? {
        guard let setting = settings.text(.codeStatusURL), !setting.isEmpty else { return nil }
        let body = CodeStatusRequest.encode(accessCode, userID: nil)
        return try request(.codeStatus, .codeStatusURL, body: body, until: deadline, SessionDetailsResponse.decode)
    }

    /// Informs the server that a user is about to log in for a waiting session, so that the session can show the user.
    ///
    /// This is optional: the login continues whatever the result.
    func announce(_ user: User, to accessCode: ByteText, until deadline: Deadline) {
        let body = CodeStatusRequest.encode(accessCode, userID: user.record.identity)
        do throws(MPinError) {
            _ = try transport.send(.codeStatus, url(.codeStatusURL), body: body, until: deadline)
        } catch {}
    }
}
