package import MPin

/// Chooses the registration of an account that a login is for.
package enum Choice {
    /// The one that server and identity of the configuration lead to.
    ///
    /// Where neither is settled, the only one there is; of several, the only one that can log in.
    /// - Parameter isDamaged: whether there are records that could not be read.
    package static func choose<C: Candidate>(
        _ candidates: [C], account: String, _ configuration: Configuration, isDamaged: Bool
    ) throws(EnrolmentFault) -> C {
        var fitting = candidates
        if let server = configuration.server {
            guard let backend = Backend(server) else { throw .noneFits }
            fitting = fitting.filter { $0.backend.hasSameBytes(as: backend.text) }
        }
        if let map = configuration.userMap {
            guard let identity = map.identity(for: account) else { throw .unmappable }
            fitting = fitting.filter { $0.identity.hasSameBytes(as: identity) }
        }
        if fitting.count > 1 {
            let usable = fitting.filter { $0.state == .registered || $0.state == .blocked }
            guard usable.count <= 1 else { throw .ambiguous }
            if let only = usable.first { return only }
        }
        guard let first = fitting.first else {
            throw isDamaged ? .store(.damaged("a record cannot be read")) : .noneFits
        }
        return first
    }
}
