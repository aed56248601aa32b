// SPDX-License-Identifier: Apache-2.0
internal import MPin
package import MPinConfiguration
package import MPinWire

/// The system that this process runs on.
package struct InstalledSystem: System {
    package init() {}

    package func configuration(arguments: [ByteText]) throws(ConfigurationError) -> Configuration {
        try Configuration.load(arguments: arguments)
    }

    package func isServerAbsent(_ configuration: Configuration, _ registration: StoredRegistration?) -> Bool {
        guard let address = configuration.value(.server) ?? registration?.backend else { return false }
        return Backend(address)?.isAbsent ?? false
    }

    package func openRegistration(
        of account: ByteText, _ configuration: Configuration
    ) throws(RegistrationError) -> StoredRegistration {
        let sdk: MPinClient
        do throws(StoreError) {
            let store = try FileStore(directory: configuration.value(.store) ?? ByteText(), account: account)
            sdk = try MPinClient(store: store, options: configuration.transport)
        } catch { throw .store(error) }
        if sdk.isNewAccount { throw .store(.notEnrolled) }
        let user = try RegistrationSelection.choose(
            sdk.allUsers, account: account, configuration, isDamaged: sdk.recordsSetAside > 0)
        return StoredRegistration(sdk: sdk, user: user, timeoutSeconds: configuration.timeoutSeconds)
    }
}

/// The system below the module: its configuration and its registrations.
package protocol System {
    associatedtype Registration: LoginRegistration

    func configuration(arguments: [ByteText]) throws(ConfigurationError) -> Configuration

    /// Whether the server is known to be absent without a request: its socket does not exist.
    ///
    /// - Parameter registration: its server is used if none is configured.
    func isServerAbsent(_ configuration: Configuration, _ registration: Registration?) -> Bool

    /// Opens the registration of an account, without a request.
    func openRegistration(of account: ByteText, _ configuration: Configuration) throws(RegistrationError)
        -> Registration
}
