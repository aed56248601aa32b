// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import MPinWire

extension MPinClient {
    /// Checks that a server's second authority answers, if it is on another host and logins need its permits.
    ///
    /// - Parameter hasMilagro: whether there are Milagro registrations, whose logins need permits.
    /// - Returns: the address of the second authority; `nil` if it was not asked.
    package static func testSecondAuthority(
        of address: String, hasMilagro: Bool, options: TransportOptions
    ) throws(MPinError) -> String? {
        guard Backend(address) != nil else { return nil }
        let deadline = Deadline(millisecondsFromNow: options.timeoutMilliseconds)
        let server = try connect(address, options, until: deadline)
        guard server.settings.usesPermits, hasMilagro || !server.settings.offers(.direct),
            case .https = server.place(of: .certivoxURL).route, let named = server.settings.text(.certivoxURL),
            let place = Backend(named)
        else { return nil }
        try server.findSecondAuthority(until: deadline)
        return place.address.string
    }
}

extension Server {
    /// Asks the second authority for a permit without naming one, which it must refuse. 404 or more comes from
    /// something else.
    fileprivate func findSecondAuthority(until deadline: Deadline) throws(MPinError) {
        do throws(MPinError) { try request(.permitShare, .certivoxURL, "timePermit", until: deadline) { _ in } } catch {
            guard let status = error.httpStatus, 400..<404 ~= status else {
                if let address = settings.text(.certivoxURL) { error.begin(with: address) }
                throw error
            }
        }
    }
}

// Tests of the machine's TPM, for programs that diagnose problems.
extension MPinClient {
    /// Tests whether the TPM can be used for registration keys: has it make one, which is discarded.
    package static func testTPM(_ options: TransportOptions) throws(MPinError) {
        _ = try TPMKey.create(options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Tests whether the TPM can use a registration's key.
    package static func testTPMKey(of user: User, _ options: TransportOptions) throws(MPinError) {
        guard let key = user.device?.key, key.tpmBlob != nil else { return }
        // A signature over this is useless: no request has this digest.
        let digest = [UInt8](repeating: 0, count: 32)
        _ = try key.sign(digest, tpm: options.tpmDevice, until: Deadline(millisecondsFromNow: RegistrationKey.patience))
    }

    /// Why the library that accesses the TPM cannot be loaded, in the system's words; nil if it can.
    package static var tpmLibraryFault: String? {
        var text = [CChar](repeating: 0, count: 512)
        unsafe mpin_tpm_library_fault(&text, text.count)
        let reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return reason.isEmpty ? nil : reason
    }
}
