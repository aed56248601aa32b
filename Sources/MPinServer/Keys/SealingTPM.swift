// SPDX-License-Identifier: Apache-2.0
internal import CTPM
internal import Glibc
internal import MPinCrypto
internal import MPinServerRoles
internal import MPinServerStorage
internal import MPinWire
internal import ShellSyntax
internal import SystemFiles

/// The TPM that seals a sealing key. Only this TPM opens it, for any user who may open the device.
///
/// The key does not depend on what the machine has booted, so that an update of its kernel or firmware does not lock
/// out the server. It protects against a stolen disk or a copy of it, not against a machine that is stolen as a whole.
struct SealingTPM {
    /// The value of the setting `tpm_device`.
    let device: String

    /// Long enough for the slowest TPM.
    private static let patience: Int64 = 10_000_000_000

    func seal(_ key: SealKey) throws(ServerError) -> TPMKeyFile {
        var blob = mpin_tpm_blob()
        try unsafe call(about: nil) { call in
            key.withBytes { secret in
                unsafe secret.withUnsafeBufferPointer { secret in
                    guard let start = secret.baseAddress else { return MPIN_TPM_MALFORMED }
                    return unsafe mpin_tpm_seal(&call, start, &blob)
                }
            }
        }
        let count = min(blob.count, MemoryLayout.size(ofValue: blob.bytes))
        let bytes = unsafe withUnsafeBytes(of: blob.bytes) { unsafe Array($0.prefix(count)) }
        return TPMKeyFile(identifier: try key.identifier, blob: bytes)
    }

    func open(_ file: TPMKeyFile, path: String) throws(ServerError) -> SealKey {
        do {
            var key = try SecretBytes(capacity: SealKey.size)
            try unsafe call(about: (path, file.identifier)) { call in
                key.withMutableBytes(count: SealKey.size) { secret in
                    unsafe secret.withUnsafeMutableBufferPointer { secret in
                        guard let start = secret.baseAddress else { return MPIN_TPM_MALFORMED }
                        return unsafe mpin_tpm_unseal(&call, file.blob, file.blob.count, start)
                    }
                }
            }
            return try SealKey(key)
        } catch { throw error as? ServerError ?? ServerError(.internalFault, "cannot allocate memory for a secret") }
    }

    /// - Parameter key: the file of the key to be opened, and the key's identifier.
    private func call(
        about key: (path: String, identifier: String)?, _ body: (inout mpin_tpm_call) -> mpin_tpm_outcome
    ) throws(ServerError) {
        var call = unsafe mpin_tpm_call()
        unsafe call.deadline_ns = Self.now + Self.patience
        let outcome = unsafe device.withCString { name in
            unsafe call.device = name
            return unsafe body(&call)
        }
        guard outcome != MPIN_TPM_DONE else { return }
        let number = unsafe call.response
        let reason = unsafe call.error
        throw fault(outcome, response: number, error: reason, about: key)
    }

    private static var now: Int64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }

    /// The error for a failure of the TPM. None of the failures loses anything.
    private func fault(
        _ outcome: mpin_tpm_outcome, response: UInt32, error: Int32, about key: (path: String, identifier: String)?
    ) -> ServerError {
        let code = response == 0 ? "" : " (0x\(String(response, radix: 16)))"
        switch outcome {
        case MPIN_TPM_NO_LIBRARY:
            return ServerError(
                .tpmMissing, "cannot use the TPM: libtss2-esys is not installed",
                hint: "Run: sudo apt-get install libtss2-esys-3.0.2-0")
        case MPIN_TPM_ABSENT:
            return ServerError(
                .tpmMissing, "there is no TPM at \(device)" + Self.kept(key),
                hint: key == nil
                    ? "If this machine has a TPM, set its path in server.conf: tpm_device = device:PATH\n"
                        + "Or use no TPM: --seal file" : "", next: key == nil ? nil : Self.recoveryToFile)
        case MPIN_TPM_NOT_PERMITTED: return notPermitted
        case MPIN_TPM_UNKNOWN_KEY:
            let path = key?.path ?? "the file"
            return ServerError(
                .tpmCleared,
                "the TPM of this machine does not open \(path): it was cleared, this is another machine, or the "
                    + "file was altered" + Self.kept(key), next: Self.recovery)
        case MPIN_TPM_NO_ANSWER, MPIN_TPM_BUSY:
            return ServerError(
                .tpmSilent, "the TPM at \(device) does not answer, or is busy\(code)",
                hint: "Nothing is lost. Try again in a few minutes. Switching the machine off and on resets its TPM.")
        case MPIN_TPM_MALFORMED:
            return ServerError(
                .configuration, "\(key?.path ?? device) is damaged" + Self.kept(key), next: Self.recovery)
        default:
            let reason = error == 0 ? code : ": " + SystemError(error).text
            return ServerError(
                .internalFault, "the TPM at \(device) failed\(reason)",
                hint: response == 0 ? "" : "See: tpm2_rc_decode 0x\(String(response, radix: 16))")
        }
    }

    /// The command that seals the key to the TPM of this machine again.
    private static let recovery = "reseal --recovery-key-file -"
    /// The command that works without a TPM.
    private static let recoveryToFile = recovery + " --seal file"

    private static func kept(_ key: (path: String, identifier: String)?) -> String {
        key.map { ". Nothing is lost: the recovery key \($0.identifier) opens the database" } ?? ""
    }

    private var notPermitted: ServerError {
        let path = String(device.drop { $0 != "/" })
        let account = FileFacts.account(geteuid()) ?? String(geteuid())
        var group: String?
        if let facts = FileFacts(target: path), facts.group != 0, let entry = unsafe getgrgid(facts.group) {
            group = unsafe String(cString: entry.pointee.gr_name)
        }
        return ServerError(
            .notPermitted, "the account '\(account)' cannot open the TPM at \(device)",
            hint: group.map {
                "Add it to the group of the device: sudo usermod --append --groups \(ShellWord.quoted($0)) "
                    + "\(ShellWord.quoted(account))\nFor the systemd unit, run: sudo mpin-server setup --seal tpm"
            } ?? "Let the account read and write \(path).")
    }
}

/// The file of a sealing key that a TPM has sealed: three lines, without a secret.
struct TPMKeyFile: Equatable {
    private static let head = "mpin-server sealing key in a TPM, form 1"
    private static let limit = 4096

    /// The name of the recovery key of the same key.
    let identifier: String
    let blob: [UInt8]

    init(identifier: String, blob: [UInt8]) { (self.identifier, self.blob) = (identifier, blob) }

    /// Whether an open file is one, and not one that contains a key itself. Reads from its start.
    static func isOne(_ file: borrowing SystemFile) -> Bool {
        guard lseek(file.descriptor, 0, SEEK_SET) == 0 else { return false }
        return (try? file.read(upTo: head.utf8.count))?.elementsEqual(head.utf8) == true
    }

    init(path: String) throws(ServerError) {
        try self.init(
            ServerError.ofFiles { () throws(FileError) in try SystemFile.regular(path, O_RDONLY | O_NOFOLLOW) })
    }

    init(_ file: borrowing SystemFile) throws(ServerError) {
        let path = file.path
        let bytes: [UInt8]
        do throws(FileError) { bytes = try file.read(upTo: Self.limit) } catch { throw ServerError(error) }
        let lines = String(decoding: bytes, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        guard lines.count == 4, lines[0] == Self.head, lines[3].isEmpty, lines[1].hasPrefix("key "),
            lines[1].utf8.count <= 32, lines[2].hasPrefix("blob "),
            let blob = Hex.decode(Array(lines[2].utf8.dropFirst(5)).span), !blob.isEmpty
        else { throw ServerError(.configuration, "\(path) is damaged", next: "reseal --recovery-key-file -") }
        self.init(identifier: String(lines[1].dropFirst(4)), blob: blob)
    }

    var text: [UInt8] {
        let digits = String(decoding: Hex.encode(blob.span), as: UTF8.self)
        return Array("\(Self.head)\nkey \(identifier)\nblob \(digits)\n".utf8)
    }
}
