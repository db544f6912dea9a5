# SPDX-License-Identifier: MIT
# Sourced after common.sh by the scripts that try things in a Debian of their own: $root, a folder that debootstrap fills from
# the machine's own mirror. What is fetched is kept in $cache.

cache=${UNPU_CACHE:-${XDG_CACHE_HOME:-${HOME:-/tmp}/.cache}/unpu}
suite=$(. /etc/os-release && echo "$VERSION_CODENAME")

# need_root - ends the script where it can't make such a system.
need_root() {
	if [ "$(id -u)" -ne 0 ]; then
		echo "skipped: debootstrap and chroot need root"
		exit 77
	fi
	if ! unshare --mount --pid --fork --mount-proc true 2>/dev/null; then
		echo "skipped: a system of its own needs namespaces of mounts and processes (CAP_SYS_ADMIN), and this one refuses them"
		exit 77
	fi
	need root
	site=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 'Component: main' "Codename: $suite" |
		sort -u | head -n 1)
	if [ -z "$site" ]; then
		echo "skipped: apt names no mirror for $suite"
		exit 77
	fi
}

# fetch_base - $base, the archive of a system with what apt needs and nothing else. An earlier script has left it, or
# debootstrap makes it.
base=$cache/base-$suite.tar
fetch_base() {
	[ ! -f "$base" ] || return 0
	made=$(mktemp -d)
	chmod 755 "$made" # it becomes the root folder
	debootstrap --variant=minbase "$suite" "$made" "$site" >"$made.log" 2>&1 || { tail "$made.log"; return 1; }
	mkdir -p "$cache"
	tar -C "$made" --exclude './proc/*' -cf "$base.part" .
	mv "$base.part" "$base"
	rm -rf "$made" "$made.log"
}

# inside COMMAND... - runs it in the system, with /proc and nothing else of the machine; by $enter, if that is told.
enter=
inside() {
	$enter unshare --mount --pid --fork --mount-proc="$root/proc" chroot "$root" \
		env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
		PYTHONDONTWRITEBYTECODE=1 "$@"
}
