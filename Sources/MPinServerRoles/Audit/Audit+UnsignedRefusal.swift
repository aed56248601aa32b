internal import MPinServerStorage

extension Audit {
    /// Notes one, limited for each source as all refusals are.
    func note(_ refusal: UnsignedRefusal, at now: Timestamp, user: String, source: RequestSource) {
        note(.refused, at: now, user: user, source: source, detail: refusal.detail)
    }
}
