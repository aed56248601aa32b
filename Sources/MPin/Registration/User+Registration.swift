// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension RegisterRequest {
    /// The request for a user, without code and device key.
    init(of user: User, userData: String?, regOTT: HexText? = nil) {
        self.init(
            userID: user.identity, deviceName: user.deviceName.utf8.isEmpty ? nil : user.deviceName,
            userData: userData.map { JSONWriter.quoted($0) }, regOTT: regOTT)
    }
}

extension User {
    /// Refuses an M-Pin ID of another identity: a token for it would log in that other user.
    func requireIssued(_ answer: RegisterResponse) throws(MPinError) {
        let named: ByteText
        do { named = ByteText(try MPinIDRecord.decode(answer.mpinID.bytes.span).userID) } catch {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID without an identity.")
        }
        guard named == record.identity else {
            throw MPinError(.responseParseError, "The server issued an M-Pin ID for another identity.")
        }
    }

    /// Adopts what the server has issued.
    func adopt(_ answer: RegisterResponse) {
        record.mpinID = answer.mpinID
        record.regOTT = answer.regOTT.digits
        state = answer.active ? .activated : .startedRegistration
        // A restart need not repeat what the start has returned.
        var notes = notes
        if let device = answer.device { notes.device = device }
        if let count = answer.backupCodes { notes.backupCodes = count }
        self.notes = notes
    }
}
