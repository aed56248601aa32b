package import MPin
package import MPinWire

/// What the module finds on a machine: its configuration and who is enrolled there.
package protocol Machine {
    associatedtype Registration: Enrolment

    func configuration(arguments: [Text]) throws(ConfigurationFault) -> Configuration

    /// Opens the registration of an account, without any traffic.
    func enrolment(of account: Text, _ configuration: Configuration) throws(EnrolmentFault) -> Registration
}
