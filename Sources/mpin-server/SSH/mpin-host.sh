#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes sshd accept certificates of the M-Pin server that printed this script, except for root. With 'undo': no longer.
set -euf && umask 022 && cd /
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin sudo=${SUDO_USER:+sudo }
ca='@CA@' key=/etc/ssh/mpin_ca.pub directory=/etc/ssh/sshd_config.d conf=/etc/ssh/sshd_config.d/50-mpin.conf
fail() { printf 'mpin-host.sh: '; printf '%s\n' "$@"; exit 1; } >&2
# setting USER KEYWORD: the value that sshd uses for this account. daemon is an example of an ordinary account.
setting() { "$sshd" -T -C "user=$1,host=localhost,addr=127.0.0.1,laddr=127.0.0.1,lport=22,rdomain=" | sed -n "s/^$2 //p"; }
# has_key FILE: whether the file contains the CA key, not in a comment.
has_key() { grep -qs "^[^#]*$blob" "$1"; }
# refuses USER: whether sshd refuses the certificates for this account. If sshd -T fails, the answer is no.
refuses() { cas=$(setting "$1" trustedusercakeys) && [ "$cas" ] && { ! has_key "$cas" || has_key "$(setting "$1" revokedkeys)"; }; }
restore() { for file in "$conf" "$key"; do rm -f "$file" "$file.new"; [ ! -e "$file.old" ] || mv "$file.old" "$file"; done; }
reload() {
    for unit in ssh sshd; do if systemctl -q is-active $unit 2>/dev/null; then systemctl reload $unit; return; fi; done
    pid=$(cat "$(setting daemon pidfile)" 2>/dev/null) || pid=none
    if [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ]; then kill -HUP "$pid"; return; fi
    echo "sshd is not running. It reads the change when it starts."
}
[ "$(id -u)" -eq 0 ] || fail "Run as root: sudo sh mpin-host.sh"
case "$*" in '' | undo) ;; *) fail "Usage: sh mpin-host.sh [undo]" ;; esac
sshd=$(command -v sshd) || fail "sshd is not installed."
blob=$(echo "$ca" | cut -d ' ' -f 2) hash=$(echo "$ca" | ssh-keygen -lf - | cut -d ' ' -f 2)
[ "$hash" ] || fail "This script contains no key. Create it again: mpin-server ssh host-script"
# sshd -t needs this directory, too. systemd removes it while a socket-activated sshd has no connection.
mkdir -p "/$("$sshd" -t 2>&1 | sed -n 's/^Missing privilege separation directory: \([^[:cntrl:]]*\).*/\1/p')"
"$sshd" -t || fail "Nothing was changed, because 'sshd -t' fails."
trusted=$(setting daemon trustedusercakeys) allow="TrustedUserCAKeys $key" deny="TrustedUserCAKeys none"
# In another file, the key must not outlive the rule for root below; nor must one that this server had before.
for old in $(cut -d ' ' -f 2 "$key" 2>/dev/null) ${1:+"$blob"}; do
    [ "$trusted" = "$key" ] || [ "${1:-$old}" = "$blob" ] || ! grep -qs "^[^#]*$old" "$trusted" ||
        fail "$trusted contains a key of the M-Pin server. Remove it, then try again:" "${sudo}sed -i '\\,$old,d' $trusted"
done
if [ "$*" ]; then
    rm -f "$conf" "$key" && reload
    echo "$(uname -n): sshd no longer accepts certificates of $hash." && exit
elif [ "$trusted" != none ] && [ "$trusted" != "$key" ]; then
    has_key "$trusted" ||
        fail "sshd already trusts the CA keys in $trusted. Add this one, then run this script again at once, to exclude root:" "echo '$ca' | ${sudo}tee -a $trusted"
    # Revoking this key for UID 0 keeps the other CA keys there, but it would replace another file of revoked keys.
    allow="# $trusted contains the key." && case $(setting root revokedkeys) in none | "$key") deny="RevokedKeys $key" ;; esac
fi
for need in casignaturealgorithms:ecdsa-sha2-nistp256 pubkeyacceptedalgorithms:ssh-ed25519-cert-v01@openssh.com; do
    case ,$(setting daemon ${need%:*}), in ,, | *",${need#*:},"*) continue ;; esac
    fail "sshd refuses the certificates, because ${need%:*} lacks ${need#*:}. Find it:" "grep -ri ${need%:*} /etc/ssh"
done
missing="sshd does not read $directory. Run, then try again:" include="${sudo}sed -i '1i Include $conf' /etc/ssh/sshd_config"
[ -d "$directory" ] || fail "$missing" "${sudo}mkdir $directory" "$include"
accounts=$(awk -F: '$3 == 0 && /^[^#+-]/ { print $1 }' /etc/passwd | paste -sd , -)
for file in "$key" "$conf"; do rm -f "$file.old"; [ ! -e "$file" ] || ln "$file" "$file.old"; done
trap restore EXIT && trap 'exit 1' HUP INT TERM
echo "$ca" >"$key.new"; mv "$key.new" "$key"
printf '%s\n' "# Written by mpin-host.sh." "$allow" "Match User $accounts" "    $deny" >"$conf.new"; mv "$conf.new" "$conf"
"$sshd" -t || fail "Nothing was changed, because 'sshd -t' fails with $conf."
! refuses daemon || fail "$missing" "$include"
for name in $(echo "$accounts" | tr , ' '); do refuses "$name" || fail "sshd would let $name in. Run, then try again:" "$include"; done
reload
trap - EXIT && rm -f "$key.old" "$conf.old"
echo "$(uname -n): sshd accepts certificates of $hash for every account except $(echo "$accounts" | sed 's/,/, /g')."
