import Synchronization

/// The passes 1 that wait for their pass 2. Lives in memory: a restart forgets them, which costs nobody an attempt.
///
/// Clients of 2016 do not say which pass 1 they answer. For them the open ones of the same identity and source are
/// tried, and the one that fits is used up. Answers that fit none use up what they could have belonged to: as soon as
/// there are as many of them as open challenges, all are gone. So no challenge is answered twice, and a login that
/// overlaps a mistyped one still succeeds.
final class OpenLogins: Sendable {
    /// How long a pass 2 may take, in nanoseconds.
    static let lifetime: Int64 = 15_000_000_000
    /// How many may be open for one identity and source; a new one displaces the oldest.
    static let perSource = 32

    private struct Key: Hashable {
        let hash: [UInt8]
        let source: Source
    }

    private struct Group {
        var open: [OpenLogin] = []
        var misses = 0

        mutating func expire(at now: Int64) { open.removeAll { $0.expires <= now } }

        mutating func settle() {
            if misses >= open.count { open = [] }
            if open.isEmpty { misses = 0 }
        }
    }

    private struct Book {
        var groups: [Key: Group] = [:]
        /// Where a name leads; a name whose login is over leads to nothing until it is swept away.
        var names: [[UInt8]: Key] = [:]
        /// In the order of their arrival, for expiry.
        var arrivals: [(key: Key, passID: [UInt8], expires: Int64)] = []
        var firstArrival = 0
    }

    private let limit: Int
    private let book = Mutex(Book())

    /// - Parameter limit: how many may be open in all; a new one displaces the oldest.
    init(limit: Int = 65_536) { self.limit = limit }

    /// Keeps a pass 1.
    func add(_ login: OpenLogin, hash: [UInt8], at now: Int64) {
        book.withLock { book in
            Self.sweep(&book, at: now, limit: limit)
            let key = Key(hash: hash, source: login.source)
            var group = book.groups[key] ?? Group()
            group.expire(at: now)
            group.settle()
            if group.open.count >= Self.perSource { group.open.removeFirst() }
            group.open.append(login)
            book.groups[key] = group
            book.names[login.passID] = key
            book.arrivals.append((key, login.passID, login.expires))
        }
    }

    /// Takes the pass 1 of that name, wherever the request for it comes from: the name is a secret of the one who began.
    ///
    /// - Returns: nil when none is open.
    func take(_ passID: [UInt8], hash: [UInt8], at now: Int64) -> OpenLogin? {
        book.withLock { book in
            guard let key = book.names[passID], key.hash == hash, var group = book.groups[key] else { return nil }
            book.names[passID] = nil
            group.expire(at: now)
            let index = group.open.firstIndex { $0.passID == passID }
            let found = index.map { group.open.remove(at: $0) }
            group.settle()
            book.groups[key] = group.open.isEmpty ? nil : group
            return found
        }
    }

    /// What a pass 2 without a name may belong to, oldest first. Nothing is used up yet.
    func candidates(hash: [UInt8], source: Source, at now: Int64) -> [OpenLogin] {
        book.withLock { book in
            book.groups[Key(hash: hash, source: source)]?.open.filter { $0.expires > now } ?? []
        }
    }

    /// Uses up what a pass 2 without a name belonged to.
    ///
    /// - Parameter match: the one that fitted; nil when none did.
    func settle(_ match: OpenLogin?, hash: [UInt8], source: Source, at now: Int64) {
        book.withLock { book in
            let key = Key(hash: hash, source: source)
            guard var group = book.groups[key] else { return }
            group.expire(at: now)
            if let match { group.open.removeAll { $0.passID == match.passID } } else { group.misses += 1 }
            group.settle()
            book.groups[key] = group.open.isEmpty ? nil : group
        }
    }

    private static func sweep(_ book: inout Book, at now: Int64, limit: Int) {
        while book.firstArrival < book.arrivals.count {
            let arrival = book.arrivals[book.firstArrival]
            let isFull = book.arrivals.count - book.firstArrival >= limit
            guard arrival.expires <= now || isFull else { break }
            book.firstArrival += 1
            book.names[arrival.passID] = nil
            guard var group = book.groups[arrival.key] else { continue }
            group.open.removeAll { $0.expires <= arrival.expires }
            group.settle()
            book.groups[arrival.key] = group.open.isEmpty ? nil : group
        }
        if book.firstArrival > 4_096, book.firstArrival * 2 > book.arrivals.count {
            book.arrivals.removeFirst(book.firstArrival)
            book.firstArrival = 0
        }
    }
}
