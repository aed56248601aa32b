// SPDX-License-Identifier: Apache-2.0
package import MPinConfiguration
package import MPinWire

/// Decides how the user has to prove their identity.
package enum MethodRule {
    /// The method of a login, and the option that chose it.
    package struct Decision: Sendable {
        package let method: LoginMethod
        /// The setting that would change the method.
        package let setting: ConfigurationOption
    }

    /// The PIN at the machine that has the token, another device for remote logins, unless the configuration says
    /// otherwise.
    package static func choose(
        _ locality: Locality, service: ByteText, configuration: Configuration
    ) -> Decision {
        if locality == .remote && ServiceList.switchers.contains(service) {
            let method = configuration.sudoOverSSH ?? configuration.method ?? .device
            return Decision(method: method, setting: .sudoOverSSH)
        }
        return Decision(method: configuration.method ?? (locality == .local ? .pin : .device), setting: .method)
    }
}
