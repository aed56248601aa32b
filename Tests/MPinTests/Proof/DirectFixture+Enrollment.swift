// SPDX-License-Identifier: Apache-2.0
import MPin
import MPinWire
import TestPeers

extension DirectFixture {
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
