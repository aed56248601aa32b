// SPDX-License-Identifier: Apache-2.0
internal import GRDB

extension Suspension {
    init(_ row: Row) {
        time = Timestamp(seconds: row["time"])
        reason = row["reason"]
    }
}
