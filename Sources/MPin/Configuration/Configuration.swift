/// What an administrator has settled for this machine, or for one line of a PAM stack.
public struct Configuration: Sendable {
    /// What to do with a password that another module of the stack has asked for already.
    public enum FirstPass: Sendable {
        /// Ask for the PIN in any case.
        case ignored
        /// Take it if it is shaped like a PIN, ask otherwise.
        case tried
        /// Take it, and fail if it is not shaped like a PIN.
        case required
    }

    /// Where a value comes from.
    public enum Origin: Sendable {
        case standard
        /// A line of the file, counted from 1.
        case file(line: Int)
        case argument
    }

    /// The file that was read, or would have been.
    public internal(set) var file = ConfigurationOption.conf.standard.text
    /// The server, `https:` or `unix:`; nil leaves it to each registration.
    public internal(set) var server: String?
    /// A file with the CA certificates to trust; nil for the system's.
    public internal(set) var caFile: String?
    /// The account whose server is trusted at a Unix socket.
    public internal(set) var serverUser = ConfigurationOption.serverUser.standard.text
    /// The limit for all a login does after the answer to its prompt.
    public internal(set) var timeoutSeconds = 5
    /// The directory of the tokens.
    public internal(set) var store = ConfigurationOption.store.standard.text
    /// What stands in the prompt in place of our own words.
    public internal(set) var prompt: String?
    /// Whether the last try before a block is protected.
    public internal(set) var guardLast = true
    /// Whether somebody who is not enrolled is passed over.
    public internal(set) var ignoreUnenrolled = false
    /// How accounts are turned into identities; nil takes what is enrolled.
    public internal(set) var userMap: UserMap?
    public internal(set) var firstPass = FirstPass.ignored
    /// How people prove who they are; nil decides by where they are.
    public internal(set) var method: LoginMethod?
    /// Services whose people are remote in any case.
    public internal(set) var remoteServices = [ConfigurationOption.remoteServices.standard.text]
    /// What sudo asks for in a remote session; nil as for other remote logins.
    public internal(set) var sudoOverSSH: LoginMethod?
    /// What somebody is of whom nobody can tell.
    public internal(set) var undetermined = Locality.local
    /// Whether more is logged.
    public internal(set) var debug = false

    private var origins = [Origin](repeating: .standard, count: ConfigurationOption.allCases.count)
    var triesFirstPass = false
    var usesFirstPass = false

    /// The configuration of a machine on which nothing was settled.
    public init() {}

    /// Where the value of an option comes from.
    public func origin(of option: ConfigurationOption) -> Origin {
        index(of: option).map { origins[$0] } ?? .standard
    }

    mutating func setOrigin(_ origin: Origin, of option: ConfigurationOption) {
        if let index = index(of: option) { origins[index] = origin }
    }

    private func index(of option: ConfigurationOption) -> Int? {
        ConfigurationOption.allCases.firstIndex { $0 == option }
    }
}
