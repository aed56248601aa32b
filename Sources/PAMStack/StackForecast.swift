/// What becomes of logins through a service.
public struct StackForecast: Sendable {
    public enum Verdict: String, Sendable {
        case letsIn = "lets in"
        case refuses
        /// More than what is predicted decides.
        case depends

        /// How far it lets in.
        var rank: Int {
            switch self {
            case .refuses: 0
            case .depends: 1
            case .letsIn: 2
            }
        }
    }

    private let results: [LoginCase: Set<PAMResult>]
    private let account: Set<PAMResult>

    public init(_ stacks: ServiceStacks, _ knowledge: ModuleKnowledge) {
        var results: [LoginCase: Set<PAMResult>] = [:]
        for login in LoginCase.all {
            results[login] = stacks.results(.auth) { knowledge.results(of: $0, in: login) }
        }
        self.results = results
        let any = LoginCase(.right, isPasswordRight: true)
        account = stacks.results(.account) { knowledge.results(of: $0, in: any) }
    }

    /// What authenticating returns.
    public func results(of login: LoginCase) -> Set<PAMResult> { results[login] ?? [] }

    /// What becomes of a login, with the account stack behind it.
    public func verdict(of login: LoginCase) -> Verdict {
        StackForecast.verdict(results(of: login), behind: accountVerdict)
    }

    /// What the account stack says of somebody who has authenticated.
    public var accountVerdict: Verdict { StackForecast.verdict(account) }

    static func verdict(_ results: Set<PAMResult>, behind account: Verdict) -> Verdict {
        let first = verdict(results)
        if first == .refuses || account == .refuses { return .refuses }
        return first == .letsIn && account == .letsIn ? .letsIn : .depends
    }

    public static func verdict(_ results: Set<PAMResult>) -> Verdict {
        guard results.contains(.success) else { return .refuses }
        return results.count == 1 ? .letsIn : .depends
    }

    /// Whether nobody gets in, whatever they know.
    public var isClosed: Bool { LoginCase.all.allSatisfy { verdict(of: $0) == .refuses } }

    /// Whether the PIN is enough, and the password is what it was.
    public var takesPINInsteadOfPassword: Bool {
        LoginCase.all.allSatisfy { login in
            (verdict(of: login) != .refuses) == (login.pin == .right || login.isPasswordRight)
        }
    }

    /// Whether both are needed.
    public var wantsPINAndPassword: Bool {
        LoginCase.all.allSatisfy { login in
            (verdict(of: login) != .refuses) == (login.pin == .right && login.isPasswordRight)
        }
    }
}
