/// What admits a registration, as the database knows it: by keyed hashes.
package enum AdmissionCode: Sendable {
    case invitation([UInt8])
    /// A backup code, under the present key and those of before rotations.
    case backup([[UInt8]])
}
