// SPDX-License-Identifier: Apache-2.0
internal import CPostgreSQL

/// A statement failed, or the connection did.
struct PostgreSQLError: Error {
    enum Cause { case refused, lost, late }

    let cause: Cause
    /// The SQLSTATE; empty for an error of the connection.
    let state: String
    let message: String

    /// Whether the commit was made on the primary, but no standby has confirmed it.
    var isUnconfirmed: Bool { state == "01000" }
    var isDeadlock: Bool { ["40001", "40P01"].contains(state) }
}

/// A connection to PostgreSQL, which one thread uses at a time.
@safe final class PostgreSQLConnection: Connection, @unchecked Sendable {
    let engine = EngineKind.postgresql
    private let handle: OpaquePointer
    private var prepared: [String: (name: String, statement: PostgreSQLStatement)] = [:]
    /// When the statements of this use must have ended, in milliseconds of the monotonic clock.
    var deadline: Int64 = 0
    /// How far the server was at the start of the connection.
    var position = TimelineFile.LogPosition(system: 0, timeline: 0, flushed: 0)
    /// When the server started. Differs for each server.
    var serverStart = ""
    /// Whether it can be used no more.
    private(set) var isBroken = false
    private(set) var changesCount = 0

    /// Connects. Blocks for as long as `connect_timeout` allows for each address.
    init(_ settings: [(keyword: String, value: String)]) throws {
        let texts = settings.flatMap { Array($0.keyword.utf8CString) + Array($0.value.utf8CString) }
        let made = unsafe texts.withUnsafeBufferPointer { unsafe mpin_pg_connect($0.baseAddress, $0.count) }
        guard let made = unsafe made else {
            throw ServerError(
                .configuration, "libpq.so.5 cannot be loaded", hint: "Install it: sudo apt install libpq5")
        }
        unsafe handle = made
        guard unsafe mpin_pg_is_open(made) != 0 else {
            isBroken = true
            throw PostgreSQLError(cause: .lost, state: "", message: unsafe String(cString: mpin_pg_error(made)))
        }
    }

    deinit { unsafe mpin_pg_close(handle) }

    /// Asks the server to end the running statement. Blocks.
    func cancel() { unsafe mpin_pg_cancel(handle) }

    func execute(_ sql: String, _ parameters: Parameters) throws { try run(sql, parameters) }

    func rows(_ sql: String, _ parameters: Parameters) throws -> [Row] {
        try run(sql, parameters)
        let columns = unsafe mpin_pg_columns(handle)
        let names = (0..<columns).map { unsafe String(cString: mpin_pg_name(handle, $0)) }
        return try (0..<(unsafe mpin_pg_rows(handle))).map { row in
            Row(names: names, values: try (0..<columns).map { try value(row, $0) })
        }
    }

    func savepoint(_ body: () throws -> Bool) throws {
        try executeText("SAVEPOINT part")
        do {
            if try !body() { try executeText("ROLLBACK TO part") }
        } catch {
            if !isBroken { try executeText("ROLLBACK TO part; RELEASE part") }
            throw error
        }
        try executeText("RELEASE part")
    }

    /// Runs statements without parameters.
    func executeText(_ sql: String) throws { try check(unsafe mpin_pg_run_text(handle, sql, deadline)) }

    private func run(_ sql: String, _ parameters: Parameters) throws {
        let (name, statement, isNew) = prepare(sql)
        let values: [(type: UInt32, bytes: [UInt8]?)] = try statement.values(parameters).map(\.binary)
        // An empty value needs a place too.
        let bytes = values.reduce(into: [UInt8]()) { $0 += $1.bytes ?? [] } + [0]
        try unsafe bytes.withUnsafeBytes { buffer in
            var offset = 0
            let parameters = unsafe values.map { value in
                let start = value.bytes == nil ? nil : unsafe buffer.baseAddress?.advanced(by: offset)
                offset += value.bytes?.count ?? 0
                return unsafe mpin_pg_parameter(
                    type: value.type, length: Int32(value.bytes?.count ?? 0), value: start)
            }
            let count = Int32(unsafe parameters.count)
            if isNew {
                try check(unsafe mpin_pg_prepare(handle, name, statement.text, parameters, count, deadline))
                prepared[sql] = (name, statement)
            }
            try check(unsafe mpin_pg_run(handle, name, parameters, count, deadline))
        }
        changesCount = Int(unsafe mpin_pg_changes(handle))
    }

    private func prepare(_ sql: String) -> (name: String, statement: PostgreSQLStatement, isNew: Bool) {
        if let known = prepared[sql] { return (known.name, known.statement, false) }
        return ("s\(prepared.count)", PostgreSQLStatement(sql), true)
    }

    /// - Throws: also if a commit is not confirmed by the standby: whether it is durable is unknown then.
    private func check(_ outcome: Int32) throws {
        let cause: PostgreSQLError.Cause
        switch outcome {
        case Int32(MPIN_PG_DONE):
            guard unsafe mpin_pg_is_unconfirmed(handle) == 0 else {
                throw PostgreSQLError(cause: .late, state: "01000", message: "no standby has confirmed the commit")
            }
            return
        case Int32(MPIN_PG_FAILED): cause = .refused
        case Int32(MPIN_PG_LATE): cause = .late
        default: cause = .lost
        }
        if cause != .refused { isBroken = true }
        throw PostgreSQLError(
            cause: cause, state: unsafe String(cString: mpin_pg_state(handle)),
            message: cause == .late ? "no answer in time" : unsafe String(cString: mpin_pg_error(handle)))
    }

    private func value(_ row: Int32, _ column: Int32) throws -> StoredValue {
        var length: Int32 = 0
        guard let start = unsafe mpin_pg_value(handle, row, column, &length) else { return .integer(nil) }
        let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(length))
        switch unsafe mpin_pg_type(handle, column) {
        case StoredValue.integerType, 23, 21:
            // The first byte has the sign.
            let first = unsafe bytes.first.map { Int64(Int8(bitPattern: $0)) } ?? 0
            return .integer(unsafe bytes.dropFirst().reduce(first) { $0 << 8 | Int64($1) })
        case StoredValue.booleanType: return .boolean(unsafe bytes.first == 1)
        case StoredValue.bytesType: return .bytes(unsafe Array(bytes))
        case StoredValue.textType, 1043: return .text(unsafe String(decoding: bytes, as: UTF8.self))
        case let type: throw ServerError(.internalFault, "a column has the type \(type)")
        }
    }
}

/// Values in PostgreSQL's binary format. The numbers of the types never change.
extension StoredValue {
    fileprivate static let booleanType: UInt32 = 16
    fileprivate static let bytesType: UInt32 = 17
    fileprivate static let integerType: UInt32 = 20
    fileprivate static let textType: UInt32 = 25

    fileprivate var binary: (type: UInt32, bytes: [UInt8]?) {
        switch self {
        case .integer(let number):
            (
                Self.integerType,
                number.map { number in (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) } }
            )
        case .text(let text): (Self.textType, text.map { Array($0.utf8) })
        case .bytes(let bytes): (Self.bytesType, bytes)
        case .boolean(let value): (Self.booleanType, value.map { [$0 ? 1 : 0] })
        }
    }
}
