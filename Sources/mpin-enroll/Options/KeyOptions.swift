import ArgumentParser

/// The option for where the key of a new registration is made.
struct KeyOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Keep this device's key in the TPM, or do not enroll."))
    var tpm = false
}
