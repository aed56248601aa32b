# SPDX-License-Identifier: Apache-2.0
_mpin-agent() {
    case $3 in
    --config) COMPREPLY=($(compgen -f -- "$2")) ;;
    --listen) COMPREPLY=() ;;
    *) COMPREPLY=($(compgen -W "--listen --config --version --help" -- "$2")) ;;
    esac
}
complete -F _mpin-agent mpin-agent
