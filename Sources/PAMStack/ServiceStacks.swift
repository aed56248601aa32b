// SPDX-License-Identifier: Apache-2.0

package struct ServiceStacks {
    package let name: String
    /// The service's own file; `nil` if it has none and uses `other`.
    package let file: String?
    /// The service's own file and the files that it includes.
    package let files: [String]
    /// Files that exist and could not be read. A forecast without them would be a guess.
    package let unreadable: [String]
    private let own: [StackEntry]
    private let fallback: [StackEntry]
    /// Whether libpam cannot read the service and refuses every login.
    package let isBroken: Bool
    package let faults: [StackFault]

    init(
        name: String, file: String?, files: [String], unreadable: [String], own: [StackEntry],
        fallback: [StackEntry], isBroken: Bool, faults: [StackFault]
    ) {
        (self.name, self.file, self.files, self.unreadable) = (name, file, files, unreadable)
        (self.own, self.fallback, self.isBroken, self.faults) = (own, fallback, isBroken, faults)
    }

    /// The steps of a facility in the service's own files.
    func own(_ facility: StackEntry.Facility) -> [StackEntry] { own.filter { $0.facility == facility } }

    /// The steps of a facility. A service without any uses those of `other`.
    package func entries(_ facility: StackEntry.Facility) -> [StackEntry] {
        let entries = own(facility)
        return entries.isEmpty ? fallback.filter { $0.facility == facility } : entries
    }

    /// The possible results of the service.
    ///
    /// - Parameter results: the possible results of each step.
    package func results(_ facility: StackEntry.Facility, _ results: (StackEntry) -> [PAMResult]) -> Set<PAMResult> {
        isBroken ? [.abort] : StackWalk(entries: entries(facility)).results(results)
    }
}
