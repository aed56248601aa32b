// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinWire
import TestPeers

extension DirectFixture {
    /// A client at this server, and a new user.
    func client(_ area: FileStore.Area = .users, acceptsOld: Bool = true) throws -> (Client, User) {
        let client = Client(try fixture.open(area, acceptsOld: acceptsOld))
        try client.mpin.setBackend(server.url)
        return (client, client.mpin.makeUser("alice@example.org"))
    }

    /// An attacker who ends TLS: he has a key of his own and names it in the settings.
    func attack(
        _ attacker: ServerSigner,
        _ change: @escaping @Sendable (Exchange, Answer) -> Answer = { $1 }
    ) {
        let direct = direct
        server.answer { exchange in
            let answer = direct.answer(exchange)
            if exchange.path == "/rps/clientSettings", var settings = try? ClientSettings.decode(answer.body.span) {
                (settings.serverKey, settings.serverID) = (attacker.publicKey, HexText(bytes: attacker.keyHash))
                return .json(settings.encode())
            }
            guard let (kind, request) = try? direct.statement(of: exchange),
                let count = AnswerProof.split(answer.body.span)?.signedCount
            else { return answer }
            let unsigned = Answer(status: answer.status, body: answer.body.prefix(count) + Array("}".utf8))
            return attacker.prove(change(exchange, unsigned), kind, request)
        }
    }
}

extension Client {
    /// Confirms and finishes a registration.
    func finish(_ user: User, _ pin: String = "4962") throws {
        try mpin.confirmRegistration(user)
        try mpin.finishRegistration(user, pin: secret(pin))
    }
}
