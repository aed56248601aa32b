import ArgumentParser

/// The option for where the key of a new registration is made.
struct KeyOptions: ParsableArguments {
    @Flag(
        help: ArgumentHelp(
            "Make the key of this device in the machine's TPM, or do not enroll: a copy of the store is worth nothing then. "
                + "'tpm = auto' in the configuration does so where there is a TPM."))
    var tpm = false
}
