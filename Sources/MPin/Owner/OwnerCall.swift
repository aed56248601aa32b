// SPDX-License-Identifier: Apache-2.0
internal import MPinWire

/// A request that only the owner of a registration may make, authorized by a login.
///
/// The module makes no such request, and the Embedded build contains none of them.
enum OwnerCall {
    #if !hasFeature(Embedded)
    /// Revokes a registration of the same user, by its M-Pin ID.
    case revoke(HexText)
    case action(OwnerAction)
    #endif

    /// The setting with the endpoint's address.
    var setting: MemberName {
        switch self {
        #if !hasFeature(Embedded)
        case .revoke: .revokeURL
        case .action: .ownerURL
        #endif
        }
    }

    #if !hasFeature(Embedded)
    /// The purpose in a login that the device signs.
    var purpose: DirectPurpose {
        switch self {
        case .revoke(let mpinID): .revoke(mpinID)
        case .action(let action): .owner(action)
        }
    }
    #endif

    /// The body of the final call.
    func body(_ authOTT: HexText) -> [UInt8] {
        switch self {
        #if !hasFeature(Embedded)
        case .revoke(let mpinID): AuthenticateRequest(authOTT: authOTT, revoke: mpinID).encode()
        case .action(let action): OwnerRequest(authOTT: authOTT, action: action).encode()
        #endif
        }
    }
}
