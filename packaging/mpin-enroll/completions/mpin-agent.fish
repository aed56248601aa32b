# SPDX-License-Identifier: Apache-2.0
complete -c mpin-agent -f
complete -c mpin-agent -l listen -x -d 'Listen on this socket.'
complete -c mpin-agent -l config -r -F -d 'Read this configuration.'
complete -c mpin-agent -l version -d 'Show the version.'
complete -c mpin-agent -s h -l help -d 'Show how to use the program.'
