internal import GRDB

extension Suspension {
    init(_ row: Row) {
        time = Timestamp(seconds: row["time"])
        reason = row["reason"]
    }
}
