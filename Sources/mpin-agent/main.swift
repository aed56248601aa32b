// SPDX-License-Identifier: Apache-2.0
internal import CMPinSystem
internal import Glibc
internal import MPinAgent

mpin_standard_descriptors()
exit(AgentProgram.run(CommandLine.arguments))
