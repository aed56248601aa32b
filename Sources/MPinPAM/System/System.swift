package import MPin
package import MPinWire

/// What the module finds on a machine: its configuration and who is enrolled there.
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
