// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// An endpoint: its path, its methods, the class of its requests, and the code that answers them.
final class EndpointRow: Sendable {
    typealias Handler = @Sendable (Services, Request) throws -> RouteResult
    typealias MPinIDHandler = @Sendable (Services, Request, HexText) throws -> RouteResult

    private enum Action: Sendable {
        case plain(Handler)
        /// For paths with one more segment, an M-Pin ID.
        case ofMPinID(MPinIDHandler)
    }

    let methods: [String]
    /// With a leading slash, and without the M-Pin ID that may follow.
    let path: String
    let requestClass: RequestClass
    /// The member of the client settings that contains the address; nil for endpoints that clients find in another way.
    let setting: MemberName?
    /// Whether a form of the server's own pages posts here. Some browsers send no origin with a form.
    let acceptsForms: Bool
    let isOffered: @Sendable (RoleConfiguration) -> Bool
    private let action: Action

    /// An endpoint whose path is complete.
    init(
        _ methods: String..., path: String, _ requestClass: RequestClass, setting: MemberName? = nil,
        acceptsForms: Bool = false, if isOffered: @escaping @Sendable (RoleConfiguration) -> Bool = { _ in true },
        handler: @escaping Handler
    ) {
        (self.methods, self.path, self.requestClass, self.setting) = (methods, path, requestClass, setting)
        (self.acceptsForms, self.isOffered) = (acceptsForms, isOffered)
        action = .plain(handler)
    }

    /// An endpoint whose path is followed by an M-Pin ID.
    init(
        _ methods: String..., pathBeforeMPinID path: String, _ requestClass: RequestClass, setting: MemberName? = nil,
        if isOffered: @escaping @Sendable (RoleConfiguration) -> Bool = { _ in true }, handler: @escaping MPinIDHandler
    ) {
        (self.methods, self.path, self.requestClass, self.setting) = (methods, path, requestClass, setting)
        (acceptsForms, self.isOffered) = (false, isOffered)
        action = .ofMPinID(handler)
    }

    /// Whether an M-Pin ID follows the path.
    var takesMPinID: Bool { if case .ofMPinID = action { true } else { false } }

    /// Answers a request.
    ///
    /// - Parameter last: the last segment of the path.
    func result(of request: Request, _ services: Services, last: Substring) throws -> RouteResult {
        switch action {
        case .plain(let handler): try handler(services, request)
        case .ofMPinID(let handler): try handler(services, request, try Self.mpinID(last))
        }
    }

    /// An M-Pin ID in a path. A segment that is not hexadecimal does not belong to any path of the server.
    private static func mpinID(_ segment: Substring) throws -> HexText {
        guard segment.utf8.count <= 2 * MPinIDRecord.longest, let mpinID = HexText(text: Array(segment.utf8).span),
            !mpinID.bytes.isEmpty
        else { throw Refusal.unknownPath }
        return mpinID
    }
}
