// SPDX-License-Identifier: Apache-2.0

extension PublicAddressTests {
    /// Makes a program that replaces systemd: it starts and reloads the server like the unit, with the commands of the
    /// drop-in. Also makes two certificates.
    static var systemd: String {
        """
        echo "$0" >/run/program
        cat >/run/systemctl <<'END'
        #!/bin/bash
        echo "$*" >>/run/calls
        case "$1" in
        enable) [ ! -S /run/mpin/server.sock ] || exit 0 ;;
        restart) ;;
        reload)
            sed -n 's/^ExecReload=//p' \(Self.dropIn) | sed 's/^-+//; s/[$][$]/$/g' | MAINPID=$(cat /run/server.pid) sh
            exit
            ;;
        *) exit 0 ;;
        esac
        [ ! -e /run/server.pid ] || { kill "$(cat /run/server.pid)"; while kill -0 "$(cat /run/server.pid)" 2>/dev/null; do sleep 0.05; done; }
        install -d -o mpin -g mpin -m 0755 /run/mpin
        install -d -g mpin -m 0750 /run/mpin-tls
        for file in /proc/self/fd/*; do
            [ "${file##*/}" -lt 3 ] || [ "${file##*/}" = 255 ] || eval "exec ${file##*/}>&-"
        done
        sed -n 's/^ExecStartPre=-+//p' \(Self.dropIn) 2>/dev/null | sh
        : >/run/ready
        setsid setpriv --reuid=mpin --regid=mpin --clear-groups "$(cat /run/program)" serve --status unix:/run/mpin/status.sock </dev/null >/run/ready 2>/run/log &
        echo $! >/run/server.pid
        for _ in $(seq 2400); do
            if grep -q ready /run/ready; then exit 0; fi
            kill -0 $! 2>/dev/null || { rm /run/server.pid; exit 1; }
            sleep 0.05
        done
        END
        chmod +x /run/systemctl
        mkdir -m 0700 /etc/tls
        for name in good other; do
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=mpin.example \\
                -keyout /etc/tls/$name.key -out /etc/tls/$name.crt 2>/dev/null
        done
        """
    }
}
