// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

extension Request {
    /// Decodes the body.
    ///
    /// - Throws: ``Refusal`` of that status if the body is malformed.
    func message<T>(_ decode: (Span<UInt8>) throws(WireError) -> T, orRefuse status: Int) throws -> T {
        do throws(WireError) { return try decode(body.span) } catch { throw Refusal.badInput(error, status: status) }
    }

    /// Decodes the query.
    ///
    /// - Throws: ``Refusal`` of that status if the query is incomplete or malformed.
    func parameters<T>(_ decode: (String) throws(WireError) -> T, orRefuse status: Int) throws -> T {
        do throws(WireError) { return try decode(query) } catch { throw Refusal.badInput(error, status: status) }
    }
}
