// SPDX-License-Identifier: Apache-2.0
import Glibc
import MPin
import MPinAsync

// Measures what the documents promise: six sign-ins at a server that says nothing hold up no other task, and each ends
// soon after its cancellation. Arguments: the store, the server, an invitation, and the process of the server.

let arguments = CommandLine.arguments
guard arguments.count == 5, let process = pid_t(arguments[4]) else { exit(2) }

func pin() throws -> PIN { try PIN(digits: [8, 0, 4, 7, 1, 3]) }

/// The longest pause of a task that only wants to run every millisecond.
func longestPause(for time: Duration) async throws -> Duration {
    let begin = ContinuousClock.now
    var last = begin, longest = Duration.zero
    while last - begin < time {
        try await Task.sleep(for: .milliseconds(1))
        let now = ContinuousClock.now
        (longest, last) = (max(longest, now - last), now)
    }
    return longest
}

func signIn(_ user: UserInfo, by client: AsyncMPinClient) async -> MPinError? {
    do throws(MPinError) {
        let started = try await client.startAuthentication(user.id)
        try await client.finishAuthentication(started, pin: PIN(digits: [8, 0, 4, 7, 1, 3]))
        return nil
    } catch { return error }
}

let client = try await AsyncMPinClient(store: FileStore(directory: arguments[1], create: true))
try await client.setBackend(arguments[2])
let made = try await client.makeUser("carol@example.org")
try await client.startRegistration(made.id, invitation: arguments[3])
try await client.confirmRegistration(made.id)
let user = try await client.finishRegistration(made.id, pin: pin())
guard await signIn(user, by: client) == nil else { exit(3) }

kill(process, SIGSTOP)
let tasks = (0..<6).map { _ in Task { await signIn(user, by: client) } }
let stall = try await longestPause(for: .seconds(3))
var latest = Duration.zero
var reasons: [MPinError.Reason?] = []
for task in tasks {
    let begin = ContinuousClock.now
    task.cancel()
    reasons.append(await task.value?.reason)
    latest = max(latest, ContinuousClock.now - begin)
}
kill(process, SIGCONT)
let next = await signIn(user, by: client)
print("other tasks waited for \(stall), canceled sign-ins for \(latest)")
guard stall < .milliseconds(100), latest < .milliseconds(100), reasons.allSatisfy({ $0 == .canceled }) else { exit(1) }
// The canceled ones may have counted, so at most a block is possible; a right PIN is no wrong one.
guard next == nil else {
    print("a sign-in afterwards: \(next?.message ?? "")")
    exit(1)
}
