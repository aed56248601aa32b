// SPDX-License-Identifier: Apache-2.0
import Console
import MPin
import MPinAgent
import MPinConfiguration
import SystemFiles

extension TargetAccount {
    /// Does work that changes the account's enrollment while no other program does: from before the records are read
    /// until the last answer of the server.
    ///
    /// - Parameter create: whether a missing store is created.
    func inTurn<Result>(
        create: Bool = false, _ work: () throws(CommandFailure) -> Result
    ) throws(CommandFailure) -> Result {
        let turn: EnrollmentTurn?
        do throws(ActionFailure) { turn = try records.turn(create: create) } catch {
            throw CommandFailure(error, for: self, creating: create)
        }
        return try withExtendedLifetime(turn) { () throws(CommandFailure) in try work() }
    }

    /// Checks that the records have room for another registration, before the server creates one.
    func requireRoom(in client: borrowing MPinClient) throws(CommandFailure) {
        do throws(MPinError) {
            guard try !client.hasRoom(forIdentityOf: identity.utf8.count) else { return }
        } catch { throw CommandFailure(error) }
        throw noRoom("another enrollment")
    }

    /// Checks that the records have room for a recovery, before the server creates a registration for it.
    func requireRoom(toRecover user: User) throws(CommandFailure) {
        let client = try open()
        do throws(MPinError) { guard try !client.hasRoom(toRecover: user) else { return } } catch {
            throw CommandFailure(error)
        }
        throw noRoom("the recovery of an enrollment")
    }

    private func noRoom(_ thing: String) -> CommandFailure {
        let place = StoreLocation(directory: configuration.store, account: account)
        return CommandFailure(
            .storage, "STORAGE_ERROR",
            "There is no room for \(thing) in \(place.records). The server was not asked, and no code was used.",
            advice: CommandFailure.makeRoom)
    }
}

extension CommandFailure {
    /// The failure that another program is changing the account's enrollment.
    static func isEnrolling(_ place: StoreLocation) -> CommandFailure {
        let holder = LockHolder(place.turn)?.process
        let number = holder.map { " (process \($0))" } ?? ""
        let look = holder.map { " Check what it is doing: ps -fp \($0)" } ?? ""
        return CommandFailure(
            .tryLater, "STORAGE_ERROR",
            "Another mpin-enroll is changing the enrollment of \(place.account)\(number). Nothing was changed.",
            advice: Advice("Wait for it, then try again." + look))
    }

    static let makeRoom = Advice(
        "Remove one that is no longer needed (mpin-enroll remove --identity IDENTITY). List them", "list")
}
