#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Makes sshd trust the SSH CA of the M-Pin server that printed this script, except for root. With 'undo': no longer.
set -euf && umask 022 && cd /; PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin sudo=${SUDO_USER:+sudo } when='' lost=''
ca='@CA@' key=/etc/ssh/mpin_ca.pub directory=/etc/ssh/sshd_config.d conf=/etc/ssh/sshd_config.d/50-mpin.conf
fail() { printf '%s\n' "mpin-host.sh: $1" ${2:+"Run, then try again:" "$2"}; exit 1; } >&2
# setting USER KEYWORD [FILE]: the value that sshd uses for this account. daemon is an example of an ordinary account.
setting() { "$sshd" -T ${3:+-f "$3"} -C "user=$1,host=localhost,addr=127.0.0.1,laddr=127.0.0.1,lport=22,rdomain=" | sed -n "s/^$2 //p"; }
# has_key FILE KEY: whether the file contains the CA key, not in a comment.
has_key() { grep -qs "^[[:blank:]]*ecdsa-sha2-nistp256[[:blank:]]*$2" "$1"; }
# refuses USER: whether sshd refuses this key for the account, even after it is in $trusted. If sshd -T fails: no.
refuses() {
    cas=$(setting "$1" trustedusercakeys)
    { [ "$cas" ] && [ "$cas" != "$trusted" ] && ! has_key "$cas" "$blob"; } || has_key "$(setting "$1" revokedkeys)" "$blob"
}
restore() { for file in "$conf" "$key"; do rm -f "$file" "$file.new"; [ ! -e "$file.old" ] || mv "$file.old" "$file"; done; }
reload() {
    file=$(setting daemon pidfile) && pid=$(cat "$file" 2>/dev/null || echo none)
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = sshd ] || { when=", from its next start" && return; }
    # sshd writes this file again when it has read its configuration.
    rm "$file" && kill -HUP "$pid" && for _ in 1 2 3 4 5 6; do sleep 1; [ ! -e "$file" ] || return 0; done; return 1
}
[ "$(id -u)" -eq 0 ] || fail "Run as root: sudo sh mpin-host.sh"; case "$*" in '' | undo) ;; *) fail "Usage: sh mpin-host.sh [undo]" ;; esac
blob=$(echo "$ca" | cut -d ' ' -f 2) sshd=$(command -v sshd) || fail "sshd is not installed."
hash=$(echo "$ca" | ssh-keygen -lf - | cut -d ' ' -f 2 | grep .) || fail "This script contains no key of an M-Pin server."
mkdir -p /run/sshd # On Debian, sshd -t needs it, and it is missing while a socket-activated sshd has no connection.
# With a configuration that is not valid, undo cannot find out whether root still needs the rule beside other CA keys.
"$sshd" -t || { [ "$*" ] && ! grep -qs '^# CA keys' "$conf"; } || fail "Nothing was changed, because 'sshd -t' fails."
[ ! -e "$conf" ] || head -n 1 "$conf" | grep -q '^# Written by mpin-host.sh' || fail "$conf is not a file of this script. Rename it."
trusted=$(setting daemon trustedusercakeys) allow="TrustedUserCAKeys $key" deny="TrustedUserCAKeys none"
# In another file, a key must not outlive the rule for root below: neither the one that undo removes, nor an earlier one.
old=$(cut -d ' ' -f 2 "$key" 2>/dev/null | grep .) || old=none
[ "$old$*" = "$blob" ] || [ "$trusted" = "$key" ] || ! has_key "$trusted" "$old" ||
    fail "$trusted contains a key of the M-Pin server." "${sudo}sed -i '\\,$old,d' $trusted"
if [ "$*" ]; then
    [ ! -e "$key" ] || hash=$(ssh-keygen -lf "$key" | cut -d ' ' -f 2); rm -f "$conf" "$key"
    { "$sshd" -t 2>/dev/null && reload; } || fail "sshd now refuses certificates of $hash. But it did not reload. Check: sshd -t"
    echo "$(uname -n): sshd no longer trusts the SSH CA $hash." && exit
fi
echo "Include $conf" | "$sshd" -t -f /dev/stdin 2>&1 | grep -qi 'option: include' && fail "OpenSSH 8.2 or newer is required."
[ "$(setting daemon pubkeyauthentication)" != no ] || fail "sshd_config sets 'PubkeyAuthentication no'."
case ,$(setting daemon casignaturealgorithms), in *,ecdsa-sha2-nistp256,*) ;; *) fail "CASignatureAlgorithms lacks ecdsa-sha2-nistp256." \
    "${sudo}sed -i '1i CASignatureAlgorithms $(setting daemon casignaturealgorithms),ecdsa-sha2-nistp256' /etc/ssh/sshd_config" ;; esac
accounts=$(awk -F: '$3 == 0 && /^[^#+-]/ { print $1 }' /etc/passwd | paste -sd , - | sed 's/,/, /g')
# Also 'none' if nothing sets it. For each keyword, the first value outside of Match applies.
[ "$trusted" != none ] || [ "$({ sed '/^[[:blank:]]*[Mm][Aa][Tt][Cc][Hh]/,$d' /etc/ssh/sshd_config; echo "$allow"; } |
    setting daemon trustedusercakeys /dev/stdin)" != none ] || fail "sshd_config sets 'TrustedUserCAKeys none'. Remove that line."
case $trusted in none | "$key") trusted=$key ;; *) allow="# CA keys: $trusted" ;; esac
# UID 0 may still use the other CA keys in that file. But a second file of revoked keys would replace the first.
[ "$trusted" = "$key" ] || case $(setting daemon revokedkeys),$(setting root revokedkeys) in
none,none | none,"$key") deny="RevokedKeys $key" ;; *) lost=" Certificates of those CAs no longer work for $accounts." ;; esac
trap '' HUP INT TERM; for file in "$key" "$conf"; do rm -f "$file.old"; [ ! -e "$file" ] || ln "$file" "$file.old"; done; trap restore EXIT && trap 'exit 1' HUP INT TERM
mkdir -p "$directory"; echo "$ca" >"$key.new"; mv "$key.new" "$key"
printf '%s\n' "# Written by mpin-host.sh." "$allow" "Match User $(echo "$accounts" | tr -d ' ')" "    $deny" >"$conf.new"; mv "$conf.new" "$conf"
include="${sudo}sed -i '1i Include $conf' /etc/ssh/sshd_config"; ! refuses daemon || fail "sshd does not read $directory." "$include"
for name in root $(echo "$accounts" | tr , ' '); do refuses "$name" || fail "sshd would let $name in." "$include"; done
trap '' HUP INT TERM; reload || fail "Nothing was changed, because sshd did not reload."; trap - EXIT; rm -f "$key.old" "$conf.old"
has_key "$trusted" "$blob" || { [ ! "$when" ] || fail "sshd is not running. Start it, then try again."
    fail "sshd trusts the CA keys in $trusted.$lost To accept this key for other accounts, add it to that file." "echo '$ca' | ${sudo}tee -a $trusted"; }
echo "$(uname -n): sshd trusts the SSH CA $hash for every account except $accounts$when."
