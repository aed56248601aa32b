// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// An endpoint: its path, its methods, the class of its requests, and the code that answers them.
final class EndpointRow: Sendable {
    /// Answers a request. The M-Pin ID is that of the path; empty if the path has none.
    typealias Handler = @Sendable (Services, Request, HexText) throws -> RouteResult

    let methods: [String]
    /// With a leading slash, and without the M-Pin ID that may follow.
    let path: String
    /// Whether the path has one more segment, an M-Pin ID.
    let takesMPinID: Bool
    let requestClass: RequestClass
    /// The member of the client settings that contains the address; nil for endpoints that clients find in another way.
    let setting: MemberName?
    /// Whether a form of the server's own pages posts here. Some browsers send no origin with a form.
    let acceptsForms: Bool
    let isOffered: @Sendable (RoleConfiguration) -> Bool
    private let handler: Handler

    init(
        _ methods: String..., path: String, takesMPinID: Bool = false, _ requestClass: RequestClass,
        setting: MemberName? = nil, acceptsForms: Bool = false,
        if isOffered: @escaping @Sendable (RoleConfiguration) -> Bool = { _ in true }, handler: @escaping Handler
    ) {
        (self.methods, self.path, self.takesMPinID, self.requestClass) = (methods, path, takesMPinID, requestClass)
        (self.setting, self.acceptsForms, self.isOffered) = (setting, acceptsForms, isOffered)
        self.handler = handler
    }

    /// Answers a request.
    func result(of request: Request, _ services: Services, last: Substring) throws -> RouteResult {
        try handler(services, request, takesMPinID ? Self.mpinID(last) : HexText(bytes: []))
    }

    /// An M-Pin ID in a path. A segment that is not hexadecimal does not belong to any path of the server.
    private static func mpinID(_ segment: Substring) throws -> HexText {
        guard segment.utf8.count <= 2 * MPinIDRecord.longest, let mpinID = HexText(text: Array(segment.utf8).span),
            !mpinID.bytes.isEmpty
        else { throw Refusal.unknownPath }
        return mpinID
    }
}
