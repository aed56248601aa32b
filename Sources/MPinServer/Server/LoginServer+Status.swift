/// What the status socket tells of a server.
extension LoginServer {
    var metrics: ServerMetrics { state.metrics }

    /// The status of the answer to a request that is answered at once; 0 for another.
    func status(of routed: RoutedRequest) -> Int {
        if case .now(let response) = result(of: routed) { response.status } else { 0 }
    }

    /// Reads the name of the server from the database.
    func readDatabase() throws(ServerFault) {
        guard try state.store.setting("serverID") != nil else {
            throw ServerFault(.storage, "the database lacks its settings")
        }
    }

    /// The same, and makes sure that the file is still where the next start looks for it.
    func checkDatabase() throws(ServerFault) {
        try readDatabase()
        guard CopiedFile.identity(directory.database) == databaseIdentity else {
            throw ServerFault(.storage, "the file is gone, or another one is in its place")
        }
    }

    /// Opens a master share of the database with the key.
    func openMasterShare(_ number: Int) throws(ServerFault) {
        _ = try ServerState.masterShare(number, state.store, state.root)
    }

    func blockedUsers() throws(ServerFault) -> Int {
        try state.store.blockedUsers(limits: configuration.attemptLimits, now: state.clock.now.seconds)
    }

    /// What waits, by the name of its queue.
    var queueLengths: [String: Int] {
        [
            "commit": state.store.group.length, "audit": state.audit.length,
            "settlement": state.attemptCounter.unwrittenCount,
            "mail": routes.services.registrations.mail?.queue.length ?? 0,
        ]
    }
}
