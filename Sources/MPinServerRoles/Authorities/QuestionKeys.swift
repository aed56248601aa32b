// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage

/// The keys that sign the relying party's questions to its authorities, by the kind of question.
struct QuestionKeys: Sendable {
    let clientSecret: any QuestionSigner
    let timePermit: any QuestionSigner

    /// HMAC keys if both authorities are here, which know the keys too; the relying party's own key if one is on
    /// another host.
    init(_ root: SealKey, _ elsewhere: SecondAuthority?) throws(ServerError) {
        if let elsewhere {
            (clientSecret, timePermit) = (elsewhere.key, elsewhere.key)
        } else {
            clientSecret = try ServerKeys.signing(.clientSecret, root)
            timePermit = try ServerKeys.signing(.timePermit, root)
        }
    }
}
