// SPDX-License-Identifier: Apache-2.0
extension MPinClient {
    static func registration(of user: User, in store: borrowing FileStore) throws(StoreError) -> User? {
        do throws(StoreError) {
            return try RecordFile.load(store).users.first { $0.isRegistration(like: user) }
        } catch .notEnrolled { return nil }
    }
}
