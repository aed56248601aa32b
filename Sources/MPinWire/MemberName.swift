// SPDX-License-Identifier: Apache-2.0

/// The names of all members of all messages, and of the parameters in query strings.
///
/// This is the only place where they are spelled. They are an enumeration instead of strings, so that names can be
/// compared without Unicode tables, and an error can name the member.
package enum MemberName: Equatable, Sendable, CaseIterable {
    // The names that every login needs come first, then those that only registrations, browsers and servers use.

    // Settings
    case registerURL, signatureURL, certivoxURL, timePermitsURL, timePermitsStorageURL, mpinAuthServerURL
    case authenticateURL, mobileAuthenticateURL, appID, setupDoneURL, requestOTP, accessNumberURL
    case getAccessNumberURL, getQrURL, codeStatusURL, accessNumberDigits, accessNumberUseCheckSum, checkSum
    case setDeviceName, useWebSocket, useNFC, usePermits, supportedProtocols
    case serverID, extensions, revokeURL, directURL
    // Shares and permits
    case userID, mobile, deviceName, regOTT, mpinID, expireTime, nowTime, clientSecret
    case date, timePermit, storageID, signature
    // Login
    case passMPinID, u, ut, y, v, wid, otp, pass, passID, authOTT, mpinResponse, revoke, revoked
    case attemptsLeft, reason, wrongSinceLastLogin
    // Direct login
    case time, purpose, argument, deviceKey, deviceSignature, proof, serverKey
    case status, message, version, code, logoutURL, logoutData, ttlSeconds
    case accessNumber, account, address, oneTimePassword
    // Services
    case name, url, rpsPrefix
    // Queries
    case appIDParameter, expires, hashMPinID, hashUserID, count, pmiToken
    // The files of a machine's store
    case users, logins, identity, backend, uid, state, token, pinScheme, pinLength, day, share, settings, settingsDay
    case refusal, refusalTime, checksum, notes, deviceSecret, tpmKey, clockOffset, keySource

    // Registration
    case serverSecret, seedValue, ownerURL, statusURL, helloURL, userData, activateCode, active, clientSecretShare
    case params, activateKey, resend, forceActivate, activationURL, codeName, codeProof, codesOnly, challenge
    // Access numbers
    case webOTT, qrURL, localTimeStart, localTimeEnd, statusCode, redirectURL, sessionID
    case prerollID, prerollIDCapital, appName, appNameCapital, appLogoURL, appLogoURLCapital, statusCapital
    case requester, host, service, verified, sessionToken
    // Services
    case logoURL, type
    // Requests of owners
    case action, device, devices, number, created, current, batch, all, codes, backupCodes, denied, retryAfter
    case replaced
    // The record inside an M-Pin ID
    case issued, recordUserID, salt

    /// The optional texts of the client settings, in the order in which they are encoded. Add the address of a new
    /// endpoint here.
    static var optionalSettings: [MemberName] {
        [
            .timePermitsURL, .timePermitsStorageURL, .mobileAuthenticateURL, .appID, .setupDoneURL, .accessNumberURL,
            .getAccessNumberURL, .getQrURL, .codeStatusURL, .revokeURL, .directURL, .ownerURL, .statusURL, .helloURL,
        ]
    }

    /// The name on the wire.
    package var name: Constant {
        switch self {
        case .registerURL: "registerURL"
        case .signatureURL: "signatureURL"
        case .certivoxURL: "certivoxURL"
        case .timePermitsURL: "timePermitsURL"
        case .timePermitsStorageURL: "timePermitsStorageURL"
        case .mpinAuthServerURL: "mpinAuthServerURL"
        case .authenticateURL: "authenticateURL"
        case .mobileAuthenticateURL: "mobileAuthenticateURL"
        case .appID: "appID"
        case .setupDoneURL: "setupDoneURL"
        case .requestOTP: "requestOTP"
        case .accessNumberURL: "accessNumberURL"
        case .getAccessNumberURL: "getAccessNumberURL"
        case .getQrURL: "getQrUrl"
        case .codeStatusURL: "codeStatusURL"
        case .accessNumberDigits: "accessNumberDigits"
        case .accessNumberUseCheckSum: "accessNumberUseCheckSum"
        case .checkSum: "cSum"
        case .setDeviceName: "setDeviceName"
        case .useNFC: "useNFC"
        case .useWebSocket: "useWebSocket"
        case .usePermits: "usePermits"
        case .supportedProtocols: "supportedProtocols"
        case .serverID: "serverId"
        case .extensions: "extensions"
        case .revokeURL: "revokeURL"
        case .directURL: "directURL"
        case .userID: "userId"
        case .mobile: "mobile"
        case .deviceName: "deviceName"
        case .regOTT: "regOTT"
        case .mpinID: "mpinId"
        case .expireTime: "expireTime"
        case .nowTime: "nowTime"
        case .clientSecret: "clientSecret"
        case .date: "date"
        case .timePermit: "timePermit"
        case .storageID: "storageId"
        case .signature: "signature"
        case .passMPinID: "mpin_id"
        case .u: "U"
        case .ut: "UT"
        case .y: "y"
        case .v: "V"
        case .wid: "WID"
        case .otp: "OTP"
        case .pass: "pass"
        case .passID: "passId"
        case .authOTT: "authOTT"
        case .mpinResponse: "mpinResponse"
        case .revoke: "revoke"
        case .revoked: "revoked"
        case .attemptsLeft: "attemptsLeft"
        case .reason: "reason"
        case .wrongSinceLastLogin: "wrongSinceLastLogin"
        case .time: "time"
        case .purpose: "purpose"
        case .argument: "argument"
        case .deviceKey: "deviceKey"
        case .deviceSignature: "deviceSignature"
        case .proof: "proof"
        case .serverKey: "serverKey"
        case .status: "status"
        case .message: "message"
        case .version: "version"
        case .code: "code"
        case .logoutURL: "logoutURL"
        case .logoutData: "logoutData"
        case .ttlSeconds: "ttlSeconds"
        case .accessNumber: "accessNumber"
        case .account: "account"
        case .address: "address"
        case .oneTimePassword: "otp"
        case .name: "name"
        case .url: "url"
        case .rpsPrefix: "rps_prefix"
        case .appIDParameter: "app_id"
        case .expires: "expires"
        case .hashMPinID: "hash_mpin_id"
        case .hashUserID: "hash_user_id"
        case .count: "count"
        case .pmiToken: "pmiToken"
        case .users: "users"
        case .logins: "logins"
        case .identity: "identity"
        case .backend: "backend"
        case .state: "state"
        case .token: "token"
        case .pinScheme: "pinScheme"
        case .uid: "uid"
        case .pinLength: "pinLength"
        case .day: "day"
        case .share: "share"
        case .settings: "settings"
        case .settingsDay: "settingsDay"
        case .refusal: "refusal"
        case .refusalTime: "refusalTime"
        case .checksum: "checksum"
        case .notes: "notes"
        case .deviceSecret: "deviceSecret"
        case .tpmKey: "tpmKey"
        case .clockOffset: "clockOffset"
        case .keySource: "serverKeySource"
        default: registrationName
        }
    }
}

extension MemberName {
    /// The names that only registrations, browsers and servers use.
    var registrationName: Constant {
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
        case .helloURL: "helloURL"
        case .codeName: "codeName"
        case .codeProof: "codeProof"
        case .codesOnly: "codesOnly"
        case .challenge: "challenge"
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
    }
}
