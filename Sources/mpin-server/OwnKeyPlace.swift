// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import MPinServer
package import MPinServerStorage

/// A place for the sealing key that the server's own account can use. Only `setup`, as root, can make a credential.
struct OwnKeyPlace: ExpressibleByArgument {
    let place: KeyPlace

    init(_ place: KeyPlace) { self.place = place }

    init?(argument: String) {
        guard let place = KeyPlace(argument: argument) else { return nil }
        self.place = place
    }

    static var allValueStrings: [String] { [KeyPlace.file, .tpm].map(\.rawValue) }
    var defaultValueDescription: String { place.rawValue }

    /// - Throws: ``ServerError`` for a credential.
    func checked() throws(ServerError) -> KeyPlace {
        guard place != .credential else { throw ServerError.onlySetup }
        return place
    }
}

extension KeyPlace: ExpressibleByArgument {}
