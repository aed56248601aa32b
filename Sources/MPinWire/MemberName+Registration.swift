// SPDX-License-Identifier: Apache-2.0
extension MemberName {
    /// The names that only registrations, browsers and servers use. The Embedded module only logs in and changes PINs,
    /// so it omits them to stay small.
    var registrationName: Constant {
        #if hasFeature(Embedded)
        ""
        #else
        switch self {
        case .serverSecret: "serverSecret"
        case .seedValue: "seedValue"
        case .userData: "userData"
        case .activateCode: "activateCode"
        case .active: "active"
        case .clientSecretShare: "clientSecretShare"
        case .params: "params"
        case .activateKey: "activateKey"
        case .resend: "resend"
        case .forceActivate: "forceActivate"
        case .activationURL: "activationURL"
        case .webOTT: "webOTT"
        case .qrURL: "qrUrl"
        case .localTimeStart: "localTimeStart"
        case .localTimeEnd: "localTimeEnd"
        case .statusCode: "statusCode"
        case .redirectURL: "redirectURL"
        case .sessionID: "wid"
        case .prerollID: "prerollId"
        case .prerollIDCapital: "PrerollId"
        case .appName: "appName"
        case .appNameCapital: "AppName"
        case .appLogoURL: "appLogoURL"
        case .appLogoURLCapital: "AppLogoUrl"
        case .statusCapital: "Status"
        case .requester: "requester"
        case .host: "host"
        case .service: "service"
        case .verified: "verified"
        case .sessionToken: "sessionToken"
        case .logoURL: "logo_url"
        case .type: "type"
        case .ownerURL: "ownerURL"
        case .statusURL: "statusURL"
        case .action: "action"
        case .device: "device"
        case .devices: "devices"
        case .number: "number"
        case .created: "created"
        case .current: "current"
        case .batch: "batch"
        case .all: "all"
        case .codes: "codes"
        case .backupCodes: "backupCodes"
        case .denied: "denied"
        case .retryAfter: "retryAfter"
        case .replaced: "replaced"
        case .issued: "issued"
        case .recordUserID: "userID"
        case .salt: "salt"
        default: ""
        }
        #endif
    }
}
