// SPDX-License-Identifier: Apache-2.0
internal import Foundation
internal import MPinCrypto
package import MPinServerStorage

/// The key pair of P-256 that signs ssh certificates: the CA that hosts trust.
package struct SSHAuthority: ~Copyable {
    private static let type = "ecdsa-sha2-nistp256"
    /// The private half, and then the public one.
    private static let pairSize = DeviceKey.byteCount + DevicePublicKey.byteCount

    private let key: DeviceKey

    init(_ key: consuming DeviceKey) { self.key = key }

    /// Makes a new key.
    package static func generate() throws(ServerError) -> SSHAuthority {
        do throws(CryptoError) { return SSHAuthority(try DeviceKey.generate()) } catch {
            throw ServerError(.internalFault, "cannot make a key: \(error)")
        }
    }

    /// The line of a file of trusted keys, such as `TrustedUserCAKeys` names.
    package var line: String { "\(Self.type) \(Data(blob).base64EncodedString()) mpin-server" }

    /// The SHA-256 of the public key, as ssh-keygen shows it.
    package func fingerprint() throws(ServerError) -> String {
        do throws(CryptoError) {
            return "SHA256:" + Data(try Hash.sha256(blob)).base64EncodedString().replacingOccurrences(of: "=", with: "")
        } catch { throw ServerError(.internalFault, "cannot hash the key: \(error)") }
    }

    /// - Parameter pair: what ``sealed(by:)`` has sealed.
    init(pair: borrowing SecretBytes) throws(CryptoError) {
        guard pair.count == Self.pairSize else { throw .invalidSeal }
        var scalar = try SecretBytes(capacity: DeviceKey.byteCount, beside: pair)
        let point = pair.withBytes { bytes in
            scalar.withMutableBytes(count: DeviceKey.byteCount) { target in
                for index in target.indices { target[index] = bytes[index] }
            }
            return (DeviceKey.byteCount..<bytes.count).map { bytes[$0] }
        }
        key = try DeviceKey(scalar: scalar, publicKey: DevicePublicKey(kept: point))
    }

    /// Both halves under one seal. An attacker who writes to the database could replace a public half without one, and
    /// hosts would then trust his key.
    package func sealed(by root: SealKey) throws(ServerError) -> [UInt8] {
        do throws(CryptoError) {
            let point = key.publicKey.bytes
            var pair = try SecretBytes(capacity: Self.pairSize)
            key.withScalar { scalar in
                pair.withMutableBytes(count: Self.pairSize) { target in
                    for index in scalar.indices { target[index] = scalar[index] }
                    for index in point.indices { target[scalar.count + index] = point[index] }
                }
            }
            return try root.seal(pair, as: .sshAuthority)
        } catch {
            throw ServerError(.internalFault, "cannot seal the key: \(error)")
        }
    }

    /// The public key as ssh writes it (RFC 5656, section 3.1).
    private var blob: [UInt8] {
        var writer = SSHWriter()
        writer.add(Self.type)
        writer.add("nistp256")
        writer.add(key.publicKey.bytes)
        return writer.bytes
    }

    /// Signs a certificate (RFC 5656, section 3.1.2).
    ///
    /// - Returns: the line of a `-cert.pub` file.
    func sign(_ certificate: SSHCertificate) throws(ServerError) -> String {
        do throws(CryptoError) { return try signed(certificate) } catch {
            throw ServerError(.internalFault, "cannot sign an ssh certificate: \(error)")
        }
    }

    private func signed(_ certificate: SSHCertificate) throws(CryptoError) -> String {
        let content = try certificate.signedPart(authority: blob)
        let signature = try key.sign(Hash.sha256(content))
        var writer = SSHWriter()
        writer.append(content)
        writer.add(fields: { fields in
            fields.add(Self.type)
            fields.add(fields: { numbers in
                numbers.add(integer: signature.prefix(32))
                numbers.add(integer: signature.suffix(32))
            })
        })
        return "\(SSHCertificate.type) \(Data(writer.bytes).base64EncodedString()) \(certificate.keyID)"
    }
}

extension Vault {
    /// The CA for ssh certificates.
    ///
    /// - Parameter sealed: as it is stored.
    /// - Throws: ``ServerError`` if it cannot be opened.
    package func sshAuthority(_ sealed: [UInt8]) throws(ServerError) -> SSHAuthority {
        do throws(CryptoError) {
            return try SSHAuthority(pair: root.open(sealed, as: .sshAuthority))
        } catch {
            let fault = unopened("the SSH CA", error)
            throw fault.kind == .configuration ? Self.damagedSSHAuthority : fault
        }
    }

    private static var damagedSSHAuthority: ServerError {
        ServerError(
            .configuration, "the key does not open the SSH CA, or the SSH CA is damaged",
            hint: "Put the right key back, restore a backup, or delete this CA.", next: "ssh disable")
    }
}
