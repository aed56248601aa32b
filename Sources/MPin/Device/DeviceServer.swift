// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// The server of a registration with a device key: its address, and the connection to it.
///
/// It has no settings, because settings are not proven. All its paths are fixed, and no answer changes the address.
struct DeviceServer {
    let backend: Backend
    let transport: HTTPTransport

    /// Logs in with the one request that the device has signed. It is never sent twice.
    func logIn(
        _ message: DirectLoginRequest, _ check: AnswerCheck, until deadline: Deadline
    ) throws(MPinError) -> AuthenticateResponse {
        try transport.conclude(
            .directLogin, at: backend.url(path: DirectLoginRequest.path.text), message.encode(), until: deadline, check)
    }

    /// Requests the status of a registration. A refusal has the same meaning as for a login, but no PIN was sent.
    func status(
        _ message: DeviceStatusRequest, _ check: AnswerCheck, until deadline: Deadline
    ) throws(MPinError) -> DeviceStatusResponse {
        do throws(MPinError) {
            return try transport.request(
                .directLogin, backend.url(path: DeviceStatusRequest.path.text), body: message.encode(), until: deadline,
                check: check, DeviceStatusResponse.decode)
        } catch {
            throw MPinError(
                error.code, error.sentence, httpStatus: error.httpStatus, cause: error.cause, reason: error.reason,
                serverTime: error.serverTime)
        }
    }

    /// Informs the server that a user is about to log in for a waiting session, so that the session can show the user.
    ///
    /// This is optional: the login continues whatever the result.
    func announce(_ user: User, to accessCode: ByteText, until deadline: Deadline) {
        let body = CodeStatusRequest.encode(accessCode, userID: user.record.identity)
        do throws(MPinError) {
            _ = try transport.send(
                .codeStatus, backend.url(path: CodeStatusRequest.path.text), body: body, until: deadline)
        } catch {}
    }
}
