// SPDX-License-Identifier: Apache-2.0

/// The names of all members of all messages, and of the parameters in query strings.
///
/// This is the only place where they are spelled. They are an enumeration instead of strings, so that names can be
/// compared without Unicode tables, and an error can name the member.
package enum MemberName: Constant, Sendable, CaseIterable {
    // Settings
    case registerURL, signatureURL, certivoxURL, timePermitsURL, timePermitsStorageURL, mpinAuthServerURL
    case authenticateURL, mobileAuthenticateURL, appID, setupDoneURL, requestOTP, accessNumberURL, getAccessNumberURL
    case getQrURL = "getQrUrl", codeStatusURL, accessNumberDigits, accessNumberUseCheckSum, checkSum = "cSum"
    case setDeviceName, useWebSocket, useNFC, usePermits, supportedProtocols, serverID = "serverId", extensions
    case revokeURL, directURL
    // Shares and permits
    case userID = "userId", mobile, deviceName, regOTT, mpinID = "mpinId", expireTime, nowTime, clientSecret, date
    case timePermit, storageID = "storageId", signature
    // Login
    case passMPinID = "mpin_id", u = "U", ut = "UT", y, v = "V", wid = "WID", otp = "OTP", pass, passID = "passId"
    case authOTT, mpinResponse, revoke, revoked, attemptsLeft, reason, wrongSinceLastLogin
    // Direct login
    case time, purpose, argument, deviceKey, deviceSignature, proof, serverKey, status, message, version, code
    case logoutURL, logoutData, ttlSeconds, accessNumber, account, address, oneTimePassword = "otp"
    case sshCertificate
    // Services
    case name, url, rpsPrefix = "rps_prefix", logoURL = "logo_url", type
    // Queries
    case appIDParameter = "app_id", expires, hashMPinID = "hash_mpin_id", hashUserID = "hash_user_id", count
    case pmiToken
    // The files of a machine's store
    case users, logins, identity, backend, uid, state, token, pinScheme, pinLength, day, share, settings, settingsDay
    case refusal, refusalTime, checksum, notes, deviceSecret, tpmKey, clockOffset, keySource = "serverKeySource"
    // Registration
    case serverSecret, seedValue, ownerURL, statusURL, helloURL, userData, activateCode, active, clientSecretShare
    case params, activateKey, resend, forceActivate, activationURL, codeName, codeProof, codesOnly, challenge
    // Access numbers
    case webOTT, qrURL = "qrUrl", localTimeStart, localTimeEnd, statusCode, redirectURL, sessionID = "wid"
    case prerollID = "prerollId", prerollIDCapital = "PrerollId", appName, appNameCapital = "AppName", appLogoURL
    case appLogoURLCapital = "AppLogoUrl", statusCapital = "Status", requester, host, service, verified, sessionToken
    // Requests of owners
    case action, device, devices, number, created, current, batch, all, codes, backupCodes, denied, retryAfter
    case replaced
    // The record inside an M-Pin ID
    case issued, recordUserID = "userID", salt

    /// The optional texts of the client settings, in the order in which they are encoded. Add the address of a new
    /// endpoint here.
    static var optionalSettings: [MemberName] {
        [
            .timePermitsURL, .timePermitsStorageURL, .mobileAuthenticateURL, .appID, .setupDoneURL, .accessNumberURL,
            .getAccessNumberURL, .getQrURL, .codeStatusURL, .revokeURL, .directURL, .ownerURL, .statusURL, .helloURL,
        ]
    }

    package var name: Constant { rawValue }
}

package enum ProtocolVersion {
    package static var version: ByteText { "0.3" }
}

/// The one-time values that are sent as hexadecimal text.
package enum OneTimeToken {
    /// The allowed lengths, in bytes. Servers use 16 unless they are configured otherwise.
    package static let sizes = 1...64
    /// The length of the values that `mpin-server` makes, in bytes.
    package static let size = 16
}
