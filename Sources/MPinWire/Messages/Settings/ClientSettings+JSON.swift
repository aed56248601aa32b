extension ClientSettings {
    /// Reads settings. Members that only concern a user interface have their default when they are of another type.
    package static func decode(_ body: Span<UInt8>) throws(WireError) -> ClientSettings {
        let object = try JSONObject(body)
        let usePermits = try object.optionalFlag(.usePermits, in: body) ?? true
        let permits =
            usePermits
            ? try object.text(.timePermitsURL, in: body) : try object.optionalText(.timePermitsURL, in: body) ?? ""
        var settings = ClientSettings(
            registerURL: try object.text(.registerURL, in: body),
            signatureURL: try object.text(.signatureURL, in: body),
            certivoxURL: try object.text(.certivoxURL, in: body),
            timePermitsURL: permits,
            mpinAuthServerURL: try object.text(.mpinAuthServerURL, in: body),
            authenticateURL: try object.text(.authenticateURL, in: body))
        settings.usePermits = usePermits
        settings.timePermitsStorageURL = try object.optionalText(.timePermitsStorageURL, in: body)
        settings.mobileAuthenticateURL = try object.optionalText(.mobileAuthenticateURL, in: body)
        settings.appID = try object.optionalText(.appID, in: body)
        settings.setupDoneURL = try object.optionalText(.setupDoneURL, in: body)
        settings.accessNumberURL = try object.optionalText(.accessNumberURL, in: body)
        settings.getAccessNumberURL = try object.optionalText(.getAccessNumberURL, in: body)
        settings.getQrURL = try object.optionalText(.getQrURL, in: body)
        settings.codeStatusURL = try object.optionalText(.codeStatusURL, in: body)
        settings.accessNumberDigits = object.displayInteger(.accessNumberDigits, in: body) ?? 7
        settings.accessNumberUseCheckSum = object.displayFlag(.accessNumberUseCheckSum, default: true, in: body)
        settings.checkSum = object.displayInteger(.checkSum, in: body) ?? 0
        settings.requestOTP = object.displayFlag(.requestOTP, default: false, in: body)
        settings.setDeviceName = object.displayFlag(.setDeviceName, default: false, in: body)
        settings.useNFC = object.displayFlag(.useNFC, default: false, in: body)
        settings.supportedProtocols = try object.texts(.supportedProtocols, in: body)
        settings.serverID = try object.optionalHexText(.serverID, count: 1...64, in: body)
        settings.extensions = try object.texts(.extensions, in: body) ?? []
        settings.revokeURL = try object.optionalText(.revokeURL, in: body)
        return settings
    }

    /// The body a server answers with.
    package func encode() -> [UInt8] {
        var writer = JSONWriter()
        writer.add(.registerURL, registerURL)
        writer.add(.signatureURL, signatureURL)
        writer.add(.certivoxURL, certivoxURL)
        writer.add(.timePermitsURL, timePermitsURL)
        writer.add(.timePermitsStorageURL, ifPresent: timePermitsStorageURL)
        writer.add(.mpinAuthServerURL, mpinAuthServerURL)
        writer.add(.authenticateURL, authenticateURL)
        writer.add(.mobileAuthenticateURL, ifPresent: mobileAuthenticateURL)
        writer.add(.appID, ifPresent: appID)
        writer.add(.setupDoneURL, ifPresent: setupDoneURL)
        writer.add(.accessNumberURL, ifPresent: accessNumberURL)
        writer.add(.getAccessNumberURL, ifPresent: getAccessNumberURL)
        writer.add(.getQrURL, ifPresent: getQrURL)
        writer.add(.codeStatusURL, ifPresent: codeStatusURL)
        writer.add(.accessNumberDigits, accessNumberDigits)
        writer.add(.accessNumberUseCheckSum, accessNumberUseCheckSum)
        writer.add(.checkSum, checkSum)
        writer.add(.requestOTP, requestOTP)
        writer.add(.setDeviceName, setDeviceName)
        writer.add(.useWebSocket, false)
        writer.add(.useNFC, useNFC)
        writer.add(.usePermits, usePermits)
        if let supportedProtocols { writer.add(.supportedProtocols, supportedProtocols) }
        if let serverID { writer.add(.serverID, serverID) }
        if !extensions.isEmpty { writer.add(.extensions, extensions) }
        writer.add(.revokeURL, ifPresent: revokeURL)
        return writer.finish()
    }
}
