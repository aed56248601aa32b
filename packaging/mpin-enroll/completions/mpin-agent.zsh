#compdef mpin-agent
# SPDX-License-Identifier: Apache-2.0
_arguments \
    '--listen[Listen on this socket.]:unix\:/PATH:' \
    '--config[Read this configuration.]:file:_files' \
    '--version[Show the version.]' \
    '--help[Show how to use the program.]'
