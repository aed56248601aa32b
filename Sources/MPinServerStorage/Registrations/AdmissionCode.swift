/// What admits a registration, as the database knows it: by keyed hashes.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    /// A backup code, under the present key and those of before rotations.
    case backup([[UInt8]])

    /// As the audit log has it.
    package var text: String {
        switch self {
        case .invitation: "invited"
        case .backup: "backup code"
        }
    }
}
