/// The stacks of one service.
public struct ServiceStacks {
    public let name: String
    /// The service's own file; `nil` where it has none and gets what `other` says.
    public let file: String?
    /// The files that make it up: its own, and what it includes.
    public let files: [String]
    /// Those of them that are there and could not be read; what is predicted without them is a guess.
    public let unreadable: [String]
    private let own: [StackEntry]
    private let fallback: [StackEntry]
    /// Whether libpam can make nothing of it and refuses everybody.
    public let isBroken: Bool
    /// Why, and where.
    public let faults: [StackFault]

    init(
        name: String, file: String?, files: [String], unreadable: [String], own: [StackEntry],
        fallback: [StackEntry], isBroken: Bool, faults: [StackFault]
    ) {
        (self.name, self.file, self.files, self.unreadable) = (name, file, files, unreadable)
        (self.own, self.fallback, self.isBroken, self.faults) = (own, fallback, isBroken, faults)
    }

    /// The steps of a facility that the service has itself.
    func own(_ facility: StackEntry.Facility) -> [StackEntry] { own.filter { $0.facility == facility } }

    /// The steps of a facility. A service without any gets those of `other`.
    public func entries(_ facility: StackEntry.Facility) -> [StackEntry] {
        let entries = own(facility)
        return entries.isEmpty ? fallback.filter { $0.facility == facility } : entries
    }

    /// What a call of the service may return.
    ///
    /// - Parameter results: what each module may return.
    public func results(
        _ facility: StackEntry.Facility, _ results: (StackEntry) -> [PAMResult]
    ) -> Set<PAMResult> {
        let entries = entries(facility)
        return self.results(entries) { results(entries[$0]) }
    }

    /// - Parameter results: what each of the entries may return, by its number.
    func results(_ entries: [StackEntry], _ results: (Int) -> [PAMResult]) -> Set<PAMResult> {
        isBroken ? [.abort] : StackWalk(entries: entries).results(results)
    }
}
