// SPDX-License-Identifier: Apache-2.0
package import MPinConfiguration
package import MPinWire

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
