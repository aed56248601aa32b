// SPDX-License-Identifier: Apache-2.0
import ArgumentParser

/// The option that requires the key of a new registration to be in the TPM.
struct KeyOptions: ParsableArguments { @Flag(help: "Create the device key in the TPM, or fail.") var tpm = false }
