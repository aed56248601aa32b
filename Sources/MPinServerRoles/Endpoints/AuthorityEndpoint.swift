// SPDX-License-Identifier: Apache-2.0
internal import MPinCrypto
internal import MPinWire

/// The endpoints of an authority on a host of its own. A server with both authorities answers the first two at the same
/// paths.
enum AuthorityEndpoint: CaseIterable {
    case clientSecret, timePermit
    /// For the relying party, which asks only once.
    case serverSecret

    /// With a leading slash.
    var path: String {
        switch self {
        case .clientSecret: ServerEndpoint.clientSecretShare.path
        case .timePermit: ServerEndpoint.timePermitShare.path
        case .serverSecret: "\(parentPath)/serverSecret"
        }
    }

    /// The path that contains them all, without a trailing slash.
    var parentPath: Substring { ServerEndpoint.clientSecretShare.parentPath }

    /// The answers of the first and the last are recorded before they are sent, which waits for the disk.
    var requestClass: RequestClass { self == .timePermit ? .reading : .registering }

    init?(path: String) {
        let wanted = path.split(separator: "/")
        guard let found = Self.allCases.first(where: { $0.path.split(separator: "/") == wanted }) else { return nil }
        self = found
    }

    /// Answers a question.
    ///
    /// - Throws: ``Refusal``. Any other error is a failure of the server.
    func answer(_ request: Request, by service: AuthorityService) throws -> Response {
        switch self {
        case .clientSecret:
            let query = try request.shareQuery(needsIdentity: true)
            return try service.clientShare(query, source: request.source)
        case .timePermit:
            let query = try request.parameters(PermitQuery.decode, orRefuse: 403)
            return try service.permitShare(query, source: request.source)
        case .serverSecret:
            let query = try request.shareQuery(needsIdentity: false)
            return try service.serverShare(query, source: request.source)
        }
    }
}
