// SPDX-License-Identifier: Apache-2.0
internal import MPinServerStorage
import Synchronization

/// A pass 1 that waits for its pass 2: the client's commitment, and the challenge that it got.
struct PendingLogin: Sendable {
    /// Names this pass 1 for a client that repeats the name; 16 random bytes.
    let passID: [UInt8]
    let u: [UInt8]
    let ut: [UInt8]
    /// The challenge, 32 bytes, valid for one answer.
    let y: [UInt8]
    let source: RequestSource
    let expires: Instant
}

/// The passes 1 that wait for their pass 2. Kept in memory: a restart forgets them, which counts no attempt.
///
/// Only the answer that fits uses up a pass 1. Otherwise an attacker who sends wrong answers for an identity would end
/// the logins of its owner. That gives no extra tries, because each answer that does not fit counts as a wrong PIN.
/// Against replay, each answer is stored with the passes 1 against which it was verified, so that no challenge is
/// answered correctly twice.
///
/// Clients of 2016 do not name the pass 1 that they answer. For them the newest few of the same identity and source are
/// tried: a client answers soon after it asked, and each try costs a pairing.
final class PendingLogins: Sendable {
    /// How long a pass 2 may take.
    static let lifetime = Duration.seconds(15)
    /// How many may be open for one identity and source. A new one displaces the oldest.
    static let perSource = 32
    /// How many of them are tried for a pass 2 without a name.
    static let triedWithoutName = 8

    /// The right to verify an answer. One request has it until it releases it.
    struct Claim: Sendable {
        /// The passes 1 to which the answer may belong, newest first.
        let logins: [PendingLogin]
        fileprivate let key: Key
        fileprivate let v: [UInt8]
    }

    fileprivate struct Key: Hashable {
        let hash: [UInt8]
        let source: RequestSource
    }

    /// An answer that was or is being verified, and the passes 1 against which it is verified.
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
        /// The group of each pass 1, by the name of the pass. It is kept after the pass is used, until the answers that
        /// were checked against the pass are forgotten with it.
        var names: ExpiringTable<[UInt8], Key>

        mutating func keep(_ group: Group, _ key: Key) {
            groups[key] = group.open.isEmpty && group.checked.isEmpty ? nil : group
        }
    }

    private let state: Mutex<State>

    /// - Parameter limit: how many may be open in total. A new one displaces the oldest.
    init(limit: Int = 65_536) { state = Mutex(State(names: ExpiringTable(limit: limit))) }

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

    /// Finds the passes 1 to which an answer may belong, and claims the right to verify it against them. Nothing is
    /// used up.
    ///
    /// - Parameter passID: the pass 1 that it names. It is found regardless of the source of the request, because the
    ///   name is a secret of the client that began.
    /// - Returns: nil if there are none, or if the answer was verified before, which is a replay.
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
            // Wrong answers block the registration earlier, so only many right logins displace an entry.
            if group.checked.count >= 4 * Self.perSource { group.checked.removeFirst() }
            group.checked.append(CheckedAnswer(v: v, passIDs: logins.map(\.passID), expires: end))
            state.groups[key] = group
            return Claim(logins: logins, key: key, v: v)
        }
    }

    /// Releases the claim on an answer that was not verified, so that it may be sent again.
    func release(_ claim: Claim) {
        state.withLock { state in
            guard var group = state.groups[claim.key] else { return }
            let passIDs = claim.logins.map(\.passID)
            group.checked.removeAll { $0.v == claim.v && $0.passIDs == passIDs }
            state.keep(group, claim.key)
        }
    }

    /// Uses up the pass 1 to which an answer belongs.
    ///
    /// - Returns: false if it has expired, or if another answer has used it up.
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
