package import MPin

/// A registration as far as it takes to choose one.
package protocol Candidate {
    var identity: String { get }
    var backend: String { get }
    var state: UserState { get }
}

extension User: Candidate {}
