import ArgumentParser

/// The option that requires the key of a new registration to be in the TPM.
struct KeyOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Keep this device's key in the TPM, or do not enroll."))
    var tpm = false
}
