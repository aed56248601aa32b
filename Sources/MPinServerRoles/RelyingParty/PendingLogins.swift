internal import MPinServerStorage
import Synchronization

/// The passes 1 that wait for their pass 2. Kept in memory: a restart forgets them, which counts no attempt.
///
/// A pass 1 is used up by the one answer that fits it, and by no other: otherwise an attacker who sends wrong answers
/// for an identity would end the logins of its owner. That gives no extra tries, because each answer that does not fit
/// counts as one of the few. Against replay, each answer is remembered beside the passes 1 against which it was
/// verified; so no challenge is answered correctly twice either.
///
/// Clients of 2016 do not say which pass 1 they answer. For them the newest few of the same identity and source are
/// tried: a client answers soon after it asked, and each one that is tried costs a pairing.
final class PendingLogins: Sendable {
    /// How long a pass 2 may take.
    static let lifetime = Duration.seconds(15)
    /// How many may be open for one identity and source; a new one displaces the oldest.
    static let perSource = 32
    /// How many of them are tried for a pass 2 without a name.
    static let triedWithoutName = 8

    /// The right to verify an answer, held by one request until it gives it back.
    struct Claim: Sendable {
        /// The passes 1 that the answer may belong to, newest first.
        let logins: [PendingLogin]
        fileprivate let key: Key
        fileprivate let v: [UInt8]
    }

    fileprivate struct Key: Hashable {
        let hash: [UInt8]
        let source: RequestSource
    }

    /// An answer that was verified, or is being verified, and the passes 1 against which.
    private struct CheckedAnswer {
        let v: [UInt8]
        let passIDs: [[UInt8]]
        /// When the last of them expires.
        let expires: Instant
    }

    private struct Group {
        var open: [PendingLogin] = []
        var checked: [CheckedAnswer] = []

        mutating func expire(at now: Instant) {
            open.removeAll { $0.expires <= now }
            checked.removeAll { $0.expires <= now }
        }
    }

    private struct State {
        var groups: [Key: Group] = [:]
        /// The group of each pass 1, by the name of the pass. It outlives the use of the pass, until what was checked
        /// against the pass is forgotten with it.
        var names: ExpiringTable<[UInt8], Key>

        mutating func keep(_ group: Group, _ key: Key) {
            groups[key] = group.open.isEmpty && group.checked.isEmpty ? nil : group
        }
    }

    private let state: Mutex<State>

    /// - Parameter limit: how many may be open in all; a new one displaces the oldest.
    init(limit: Int = 65_536) { state = Mutex(State(names: ExpiringTable(limit: limit))) }

    /// Keeps a pass 1.
    func add(_ login: PendingLogin, hash: [UInt8], at now: Instant) {
        state.withLock { state in
            let key = Key(hash: hash, source: login.source)
            for evicted in state.names.insert(key, for: login.passID, until: login.expires, at: now) {
                guard var group = state.groups[evicted.value] else { continue }
                group.expire(at: evicted.expires)
                state.keep(group, evicted.value)
            }
            var group = state.groups[key] ?? Group()
            group.expire(at: now)
            if group.open.count >= Self.perSource { group.open.removeFirst() }
            group.open.append(login)
            state.groups[key] = group
        }
    }

    /// Finds the passes 1 that an answer may belong to, and claims the right to verify it against them. Nothing is used
    /// up.
    ///
    /// - Parameters:
    ///   - v: the answer.
    ///   - passID: the pass 1 that it names, which is found whatever the source of the request: the name is a secret of
    /// the client that began.
    /// - Returns: nil when there are none, or when it was verified already: a replay.
    func claim(_ v: [UInt8], passID: [UInt8]?, hash: [UInt8], source: RequestSource, at now: Instant) -> Claim? {
        state.withLock { state in
            var key = Key(hash: hash, source: source)
            if let passID {
                guard let named = state.names[passID], named.hash == hash else { return nil }
                key = named
            }
            guard var group = state.groups[key] else { return nil }
            group.expire(at: now)
            let logins: [PendingLogin]
            if let passID {
                logins = group.open.filter { $0.passID == passID }
                guard !group.checked.contains(where: { $0.v == v && $0.passIDs.contains(passID) }) else { return nil }
            } else {
                logins = group.open.suffix(Self.triedWithoutName).reversed()
                guard !group.checked.contains(where: { $0.v == v }) else { return nil }
            }
            guard let end = logins.map(\.expires).max() else { return nil }
            // Wrong answers block the registration before that; only many right logins displace an entry.
            if group.checked.count >= 4 * Self.perSource { group.checked.removeFirst() }
            group.checked.append(CheckedAnswer(v: v, passIDs: logins.map(\.passID), expires: end))
            state.groups[key] = group
            return Claim(logins: logins, key: key, v: v)
        }
    }

    /// Gives the claim back, for an answer that was not verified: it may be sent again.
    func release(_ claim: Claim) {
        state.withLock { state in
            guard var group = state.groups[claim.key] else { return }
            let passIDs = claim.logins.map(\.passID)
            group.checked.removeAll { $0.v == claim.v && $0.passIDs == passIDs }
            state.keep(group, claim.key)
        }
    }

    /// Uses up the pass 1 that an answer fitted.
    ///
    /// - Returns: false when it had expired by then, or another answer had used it up.
    func use(_ login: PendingLogin, of claim: Claim, at now: Instant) -> Bool {
        state.withLock { state in
            guard var group = state.groups[claim.key],
                let index = group.open.firstIndex(where: { $0.passID == login.passID })
            else { return false }
            group.open.remove(at: index)
            group.expire(at: now)
            state.keep(group, claim.key)
            return true
        }
    }
}
