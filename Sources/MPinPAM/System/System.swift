package import MPinConfiguration
package import MPinWire

/// The system below the module: its configuration and its registrations.
package protocol System {
    associatedtype Registration: LoginRegistration

    func configuration(arguments: [ByteText]) throws(ConfigurationFault) -> Configuration

    /// Whether it can be seen without any traffic that the server is not there: its socket does not exist.
    ///
    /// - Parameter registration: counts where no server is configured.
    func isServerAbsent(_ configuration: Configuration, _ registration: Registration?) -> Bool

    /// Opens the registration of an account, without any traffic.
    func openRegistration(of account: ByteText, _ configuration: Configuration) throws(RegistrationFault)
        -> Registration
}
