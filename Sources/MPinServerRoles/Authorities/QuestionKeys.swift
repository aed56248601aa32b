internal import MPinServerStorage

/// What signs the relying party's questions to its authorities, by what is asked for.
struct QuestionKeys: Sendable {
    let clientSecret: any QuestionSigner
    let timePermit: any QuestionSigner

    /// Keys of HMAC where both authorities are here, which know them too; the relying party's own where one is elsewhere.
    init(_ root: SealKey, _ elsewhere: SecondAuthority?) throws(ServerError) {
        if let elsewhere {
            (clientSecret, timePermit) = (elsewhere.key, elsewhere.key)
        } else {
            clientSecret = try ServerKeys.signing(.clientSecret, root)
            timePermit = try ServerKeys.signing(.timePermit, root)
        }
    }
}
