// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import COpenSSL

/// A certificate for TLS whose CA is a server's own key, and the private half of its key pair. Both are DER.
package struct TLSCertificate: Sendable {
    package let certificate: [UInt8]
    package let key: [UInt8]

    /// Whether clients that connect to a host accept the name in a certificate (RFC 6125).
    ///
    /// - Parameters:
    ///   - certificate: DER.
    ///   - host: a name, or an address without brackets.
    package static func isFor(_ certificate: [UInt8], host: String) -> Bool {
        unsafe mpin_certificate_is_for(certificate, certificate.count, host) == 1
    }
}

/// X.509 certificates (RFC 5280) that a key of P-256 signs.
///
/// What is signed begins with the DER of a sequence, 0x30. Every other message that a server signs begins with the length
/// of its label, 0x00. So neither can be taken for the other.
extension DeviceKey {
    /// Makes a new key pair, and a certificate for it.
    ///
    /// - Parameters:
    ///   - name: `DNS:NAME` or `IP:ADDRESS`, in characters that have no meaning in openssl.cnf.
    ///   - valid: in seconds since 1970.
    package borrowing func issueCertificate(
        for name: String, valid: Range<Int64>
    ) throws(CryptoError) -> TLSCertificate {
        var validity = mpin_validity(from: valid.lowerBound, until: valid.upperBound)
        var certificate = mpin_der(), key = mpin_der()
        let point = publicKey.bytes
        let done = unsafe withScalarPointer { scalar in
            unsafe mpin_certificate_issue(scalar, point, name, &validity, &certificate, &key)
        }
        defer { unsafe mpin_wipe(&key, MemoryLayout.size(ofValue: key)) }
        guard done == 1 else { throw .libraryUnavailable }
        return TLSCertificate(certificate: certificate.array, key: key.array)
    }

    /// Makes the certificate of the CA itself, for programs that need one. It is limited to one host: without a limit, this
    /// key could sign certificates for every site.
    ///
    /// - Parameters:
    ///   - constraint: the name constraints, as in openssl.cnf.
    ///   - valid: in seconds since 1970.
    /// - Returns: DER.
    package borrowing func authorityCertificate(
        limitedTo constraint: String, valid: Range<Int64>
    ) throws(CryptoError) -> [UInt8] {
        var validity = mpin_validity(from: valid.lowerBound, until: valid.upperBound)
        var certificate = mpin_der()
        let point = publicKey.bytes
        let done = unsafe withScalarPointer { scalar in
            unsafe mpin_certificate_authority(scalar, point, constraint, &validity, &certificate)
        }
        guard done == 1 else { throw .libraryUnavailable }
        return certificate.array
    }
}

extension mpin_der {
    fileprivate var array: [UInt8] { unsafe withUnsafeBytes(of: bytes) { unsafe Array($0.prefix(length)) } }
}
