internal import Glibc
internal import MPinAgent

exit(AgentProgram.run(CommandLine.arguments))
