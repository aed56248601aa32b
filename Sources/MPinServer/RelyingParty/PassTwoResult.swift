/// A pass 2 and the verdict on it.
struct PassTwoResult: Sendable {
    let verdict: LoginVerdict
    /// SHA-256 of the M-Pin ID.
    let hash: [UInt8]
    let purpose: LoginPurpose
}
