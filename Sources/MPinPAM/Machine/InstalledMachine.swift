package import MPin

/// The machine this process runs on.
package struct InstalledMachine: Machine {
    package init() {}

    package func configuration(arguments: [String]) throws(ConfigurationFault) -> Configuration {
        try Configuration.load(arguments: arguments)
    }

    package func enrolment(
        of account: String, _ configuration: Configuration
    ) throws(EnrolmentFault) -> StoredEnrolment {
        let sdk: MPin
        do throws(StoreError) {
            let store = try FileStore(directory: configuration.store, account: account)
            sdk = try MPin(store: store, options: configuration.transport)
        } catch {
            throw .store(error)
        }
        if sdk.isNewAccount { throw .store(.notEnrolled) }
        let user = try choose(sdk.allUsers, account, configuration, damaged: sdk.recordsSetAside > 0)
        return StoredEnrolment(sdk: sdk, user: user, timeoutSeconds: configuration.timeoutSeconds)
    }

    /// The registration that server and identity of the configuration lead to.
    ///
    /// Where neither is settled, the only one there is; of several, the only one that can log in.
    private func choose(
        _ users: [User], _ account: String, _ configuration: Configuration, damaged: Bool
    ) throws(EnrolmentFault) -> User {
        var fitting = users
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
            if let user = usable.first { return user }
        }
        guard let user = fitting.first else {
            throw damaged ? .store(.damaged("a record cannot be read")) : .noneFits
        }
        return user
    }
}
