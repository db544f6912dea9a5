#!/bin/sh
# SPDX-License-Identifier: MIT
# numa_guest.sh [BUILD [ARCHITECTURE]] - runs the tests and the bench of placement on machines with several
# nodes that QEMU makes: 4 CPUs, unequal distances, Debian's kernel, software emulation. The first machine has
# two whole nodes, and in it a cpuset that excludes one of them is tried too; the second one has a node
# without CPUs and one without memory.
#
# ARCHITECTURE is amd64 or arm64. With WHOLE=FILTER the first machine also runs the litmus tests with a
# twentieth of their rounds, or what PART=NUMBER divides them by, and what the filter selects of the
# conformance tests with the device in the process and as a process. With UNIT=FILTER it runs these unit tests.
# With either, each node has 2 GiB of memory, or NODE_MIB=NUMBER.
#
# Needs what scripts/packages.txt lists for "guest", and a kernel: KERNEL=FILE, or one in /boot, or
# else Debian's linux-image is fetched into BUILD/guest, where it is not installed; for arm64 it is what
# "scripts/arm64.sh --guest" has unpacked. A machine gets LIMIT_S seconds, 300 unless told. Ends with 0 when all
# held, 1 when a test failed, 77 with a sentence where it can't run.
set -u
build=$(realpath -e "${1:-build/release}") || exit 77
architecture=${2:-amd64}
guest=$build/guest
root=$guest/root
programs="bin/unpu_conformance bin/firmware-sim bin/unpu-info bin/holder"
# What runs too where it was built; the guest names what was not.
for program in bin/unpu_unit bench/placement bin/unpu-kernel-worker bin/unpu_litmus bin/unpu_litmus_fences; do
	[ ! -x "$build/$program" ] || programs="$programs $program"
done

cannot() {
	echo "skipped: $*" >&2
	exit 77
}

case $architecture in
amd64)
	system=
	busybox=$(command -v busybox)
	strip=strip
	qemu="qemu-system-x86_64 -cpu max"
	console=ttyS0
	kernels="/boot/vmlinuz-* kernel/boot/vmlinuz-*"
	;;
arm64)
	system=$(realpath "$(dirname "$0")/..")/build/arm64-root
	busybox=$system/bin/busybox
	strip=aarch64-linux-gnu-strip
	# The signing of pointers by the architecture's cipher takes most of an emulator's time.
	qemu="qemu-system-aarch64 -machine virt,gic-version=3 -cpu max,pauth-impdef=on"
	console=ttyAMA0
	kernels="$system/boot/vmlinuz-*"
	command -v qemu-aarch64-static >/dev/null || cannot "there is no qemu-aarch64-static, which reads libraries' names"
	;;
*) cannot "the architecture is $architecture; it must be amd64 or arm64" ;;
esac

if [ -n "$system" ] && [ ! -x "$busybox" ]; then
	cannot "there is no $busybox; scripts/arm64.sh --guest gets it"
fi
for tool in ${qemu%% *} "${busybox:-busybox}" cpio ldd $strip; do
	command -v "$tool" >/dev/null || cannot "there is no $tool; scripts/packages.txt names its package"
done
for program in $programs; do
	[ -x "$build/$program" ] || cannot "$build/$program is not built"
done

# libraries_of PROGRAM - prints those that the loader finds for it.
libraries_of() {
	if [ -z "$system" ]; then
		ldd "$1"
	else
		qemu-aarch64-static -L "$system" "$system/lib/ld-linux-aarch64.so.1" --list "$1"
		echo /lib/ld-linux-aarch64.so.1
	fi
}

mkdir -p "$guest" && cd "$guest" || exit 1

# find_kernel - prints a kernel, or nothing.
find_kernel() {
	for file in ${KERNEL:-} $kernels; do
		if [ -r "$file" ]; then
			realpath "$file"
			return
		fi
	done
}

kernel=$(find_kernel)
if [ -z "$kernel" ] && [ "$architecture" = arm64 ]; then
	cannot "there is no kernel; scripts/arm64.sh --guest gets one"
fi
if [ -z "$kernel" ]; then
	package=$(apt-cache depends linux-image-amd64 2>/dev/null |
		sed -n 's/.*Depends: \(linux-image-.*\)/\1/p' | head -n 1)
	[ -n "$package" ] || cannot "there is no kernel in /boot, and apt knows none"
	apt-get download "$package" >/dev/null 2>&1 ||
		cannot "there is no kernel in /boot, and $package can't be fetched"
	dpkg-deb -x "$package"_*.deb kernel && rm -f "$package"_*.deb
	kernel=$(find_kernel)
fi

rm -rf "$root"
mkdir -p "$root/bin" "$root/build" "$root/proc" "$root/sys" "$root/dev" "$root/tmp"
cp "$busybox" "$root/bin/busybox"
for program in $programs; do
	mkdir -p "$root/build/$(dirname "$program")"
	$strip -s -o "$root/build/$program" "$build/$program"
done
cp -r "$build/lib64" "$root/build/"
# The versions of the toolkit's parts are in files.
[ ! -d "$build/share" ] || cp -r "$build/share" "$root/build/"
find "$root/build/lib64" -type f -exec "$strip" -s {} + 2>/dev/null
# A conformance test names the image of its kernels by its place in the build tree.
mkdir -p "$root$(dirname "$build")" && ln -s /build "$root$build"
# The libraries of the system under all of it, at their own places. The firmware loads that of tensor operators.
for program in $programs lib64/libunpu_operators.so; do
	libraries_of "$build/$program"
done | awk '{ for (i = 1; i <= NF; i++) if ($i ~ /^\//) { print $i; break } }' | sort -u |
	grep -v "^$build/" | while read -r library; do
		mkdir -p "$root$(dirname "$library")"
		cp -L "$system$library" "$root$library"
	done

cat >"$root/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc none /proc
/bin/busybox --install -s /bin
export PATH=/bin LD_LIBRARY_PATH=/build/lib64 TSAN_OPTIONS=halt_on_error=1
mount -t sysfs none /sys
mount -t devtmpfs none /dev
mount -t tmpfs none /tmp
mkdir -p /dev/shm && mount -t tmpfs none /dev/shm
mount -t cgroup2 none /sys/fs/cgroup
ifconfig lo up
ulimit -l unlimited
# Pages of the pool on each node that has memory.
echo 96 >/proc/sys/vm/nr_hugepages
failed=0

# tests TITLE PROGRAM FILTER - prints what each test finds, and that one fails, while they run: the machine may be stopped.
tests() {
	if [ ! -x "$2" ]; then
		echo "$1: not built"
		return
	fi
	echo "$1"
	{
		"$2" --gtest_filter="$3" 2>&1
		echo $? >/tmp/status
	} | tee /tmp/log | awk -v whole="${unpu_whole:-}${unpu_unit:-}" '
		/PASSED.* 1 test\.$/ { next }
		/^node |^not proven|FAILED|SKIPPED|Failure|^ |^Which|^Expected|^Value|^\[  PASSED/ { print; fflush() }
		/^\[       OK/ && whole != "" { print; fflush() }'
	[ "$(cat /tmp/status)" = 0 ] && grep -q '^\[  PASSED  \]' /tmp/log || failed=1
}

echo "== nodes"
for node in /sys/devices/system/node/node*; do
	echo "$(basename "$node"): CPUs '$(cat "$node"/cpulist)', distances $(cat "$node"/distance)," \
		"$(sed -n 's/.*MemTotal: *//p' "$node"/meminfo)," \
		"$(sed -n 's/.*HugePages_Total: *//p' "$node"/meminfo) pages in the pool"
done
tests "== unit tests" /build/bin/unpu_unit 'Numa.*'
for device in sim: sim:step sim+proc:; do
	export UNPU_DEVICE=$device
	tests "== conformance, $device" /build/bin/unpu_conformance 'Numa.*:Pages.ArePagesOfThePool*'
done
export UNPU_DEVICE=sim:
echo +cpuset >/sys/fs/cgroup/cgroup.subtree_control
# cpuset CPUS NODES - the same where the process may use these alone.
cpuset() {
	mkdir -p /sys/fs/cgroup/some
	echo "$1" >/sys/fs/cgroup/some/cpuset.cpus
	echo "$2" >/sys/fs/cgroup/some/cpuset.mems
	echo $$ >/sys/fs/cgroup/some/cgroup.procs
	tests "== conformance in a cpuset of CPUs $1 and memory of node $2" \
		/build/bin/unpu_conformance 'Numa.*'
	echo $$ >/sys/fs/cgroup/cgroup.procs
}
cpuset 0-1 0
cpuset 0-1 0-1
echo "== unpu-info --topology beside a program that holds memory of a device on node 1"
export UNPU_DEVICE=sim:memory=64M,node=1
mkfifo /tmp/end
/build/bin/holder </tmp/end >/tmp/held &
exec 3>/tmp/end
until grep -q pinned /tmp/held; do sleep 1; done
/build/bin/unpu-info --topology --pid $! | sed -n '/^node/,$p'
exec 3>&-
wait
export UNPU_DEVICE=sim:
if [ -x /build/bench/placement ]; then
	echo "== bench/placement; emulated, so the figures only show that the wiring works"
	/build/bench/placement --quick --rounds 1 2>/dev/null | grep -E 'program on|x base'
	[ $? -eq 0 ] || failed=1
fi
# The kernel passes what it does not know on.
if [ -n "${unpu_unit:-}" ]; then
	tests "== unit tests, $unpu_unit" /build/bin/unpu_unit "$unpu_unit"
fi
if [ -n "${unpu_whole:-}" ]; then
	rmdir /sys/fs/cgroup/some 2>/dev/null
	export UNPU_LITMUS_PART="$unpu_part"
	tests "== litmus" /build/bin/unpu_litmus '*'
	tests "== litmus with full fences" /build/bin/unpu_litmus_fences '*'
	for device in sim: sim+proc:; do
		export UNPU_DEVICE=$device
		tests "== conformance, $device, $unpu_whole" /build/bin/unpu_conformance "$unpu_whole"
	done
fi
echo "guest ends with $failed"
poweroff -f
INIT
chmod +x "$root/init"
(cd "$root" && find . | cpio -o -H newc --quiet) >initramfs

# Memory of each node. A whole suite needs more of it.
node_mib=512
[ -z "${WHOLE:-}${UNIT:-}" ] || node_mib=${NODE_MIB:-2048}

# machine NAME SUITE OPTION... - boots one and prints what it has to say. SUITE: what it runs besides, as parameters of the
# kernel.
result=0
machine() {
	echo "==== $1"
	parameters="console=$console quiet panic=-1 $2"
	shift 2
	# shellcheck disable=SC2086
	timeout "${LIMIT_S:-300}" $qemu -accel tcg,thread=multi -smp 4 -m $((2 * node_mib)) \
		-nographic -no-reboot -nic none -kernel "$kernel" -initrd initramfs \
		-object memory-backend-ram,id=m0,size=${node_mib}M -object memory-backend-ram,id=m1,size=${node_mib}M \
		-append "$parameters" "$@" </dev/null 2>&1 |
		sed -un 's/\r$//; /== nodes/,$p' | tee log
	grep -q '^guest ends with' log || echo "the machine was ended after LIMIT_S=${LIMIT_S:-300} seconds, or ended itself"
	grep -q '^guest ends with 0' log || result=1
}

machine "two nodes, 4 CPUs" "${UNIT:+unpu_unit=$UNIT} ${WHOLE:+unpu_whole=$WHOLE unpu_part=${PART:-20}}" \
	-numa node,nodeid=0,cpus=0-1,memdev=m0 -numa node,nodeid=1,cpus=2-3,memdev=m1 \
	-numa dist,src=0,dst=1,val=31
machine "a node without CPUs and one without memory" "" \
	-numa node,nodeid=0,cpus=0-1,memdev=m0 -numa node,nodeid=1,memdev=m1 \
	-numa node,nodeid=2,cpus=2-3 \
	-numa dist,src=0,dst=1,val=21 -numa dist,src=0,dst=2,val=31 -numa dist,src=1,dst=2,val=15
exit $result
