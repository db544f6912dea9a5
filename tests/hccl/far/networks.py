#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""networks.py FIRMWARE_SIM LIBHCCL: ranks that meet over TCP. There are two network namespaces with a link between them,
so ranks of the one do not find the Unix sockets of the other. Devices of one firmware, whose socket is a file, are
used from both. Ends with 77 where the kernel allows no namespaces."""
import contextlib
import ctypes
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ABOVE = os.path.dirname(HERE)
sys.path.insert(0, ABOVE)
sys.path.insert(0, os.path.join(ABOVE, "attack"))

import client  # noqa: E402
import knock  # noqa: E402
from processes import SECONDS, Firmware, await_files, finish  # noqa: E402

ADDRESSES = ("10.77.0.1", "10.77.0.2")
PARA, UNAVAIL = 1, 7


def run(*command):
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)


# UCX looks there for the interfaces of its network.
MOUNT = "mount -t sysfs sysfs /sys && "


class Networks:
    """This process's namespace and another one."""

    def __init__(self):
        self.keeper = subprocess.Popen(["unshare", "-nm", "sh", "-c", MOUNT + "echo ready; exec cat"],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        if self.keeper.stdout.readline() != b"ready\n":
            raise OSError("there is no second network namespace")
        self.inside = ([], ["nsenter", "-t", str(self.keeper.pid), "-n", "-m"])
        run("ip", "link", "add", "near0", "type", "veth", "peer", "name", "far0", "netns", str(self.keeper.pid))
        for side, name in enumerate(("near0", "far0")):
            run(*self.inside[side], "ip", "address", "add", f"{ADDRESSES[side]}/24", "dev", name)
            run(*self.inside[side], "ip", "link", "set", name, "up")
            run(*self.inside[side], "ip", "link", "set", "lo", "up")
        for side, name in enumerate(("near0", "far0")):
            while b"state UP" not in subprocess.run([*self.inside[side], "ip", "link", "show", name], check=True,
                                                    stdout=subprocess.PIPE).stdout:
                time.sleep(0.01)

    @contextlib.contextmanager
    def far(self):
        """This thread is in the other network."""
        libc, flag = ctypes.CDLL(None, use_errno=True), 0x40000000
        with open("/proc/self/ns/net", "rb") as own, open(f"/proc/{self.keeper.pid}/ns/net", "rb") as other:
            if libc.setns(other.fileno(), flag) != 0:
                raise OSError(ctypes.get_errno(), "setns")
            try:
                yield
            finally:
                libc.setns(own.fileno(), flag)

    def end(self):
        self.keeper.kill()
        self.keeper.wait()


def start(networks, firmwares, libraries, scene, folder, ranks=4, **environment):
    """The first two ranks are near, the others far. With two firmwares, those have the second one."""
    processes = []
    for rank in range(ranks):
        firmware = firmwares[rank // 2 % len(firmwares)]
        settings = dict(os.environ, UNPU_DEVICE=f"unix:{firmware.path}", **{"HCCL_CONNECT_TIMEOUT": "60", **environment})
        processes.append(subprocess.Popen(
            [*networks.inside[rank // 2], sys.executable, "-B", os.path.join(HERE, "far.py"), libraries, scene, "4",
             str(rank), folder], env=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT))
    return processes


def write(folder, name, text):
    with open(os.path.join(folder, name + ".new"), "w", encoding="ascii") as file:
        file.write(text)
    os.rename(os.path.join(folder, name + ".new"), os.path.join(folder, name))


def play(networks, firmwares, libraries, scene, **environment):
    with tempfile.TemporaryDirectory() as folder:
        finish(scene, start(networks, firmwares, libraries, scene, folder, **environment))
    print(f"{scene} with {len(firmwares)} firmwares {environment or ''}: passed", flush=True)


def play_kill(networks, firmwares, libraries):
    """A far rank is killed in the middle of operations."""
    with tempfile.TemporaryDirectory() as folder:
        processes = start(networks, firmwares, libraries, "kill", folder)
        await_files(folder, *(f"ready{rank}" for rank in range(4)))
        time.sleep(0.2)
        processes[3].kill()
        write(folder, "killed", str(time.monotonic()))
        print(finish("kill", processes, 3), end="", flush=True)


def play_early(networks, firmwares, libraries):
    """A far rank is killed while the ranks meet."""
    with tempfile.TemporaryDirectory() as folder:
        processes = start(networks, firmwares, libraries, "early", folder, ranks=3)
        await_files(folder, *(f"coming{rank}" for rank in range(3)))
        time.sleep(1)
        processes[2].kill()
        told = await_files(folder, "told0", "told1")
        finish("early", processes, 2)
    if not all(text.startswith(f"{client.REMOTE} ") and "rank 2 (process" in text and
               "ended while the ranks met" in text for text in told):
        raise SystemExit(f"the ranks were told {told}")
    print("early: passed", flush=True)


def play_cut(networks, firmwares, libraries):
    with tempfile.TemporaryDirectory() as folder:
        processes = start(networks, firmwares, libraries, "cut", folder)
        await_files(folder, *(f"ready{rank}" for rank in range(4)))
        run("ip", "link", "set", "near0", "down")
        write(folder, "cut", str(time.monotonic()))
        print(finish("cut", processes), end="", flush=True)
        told = await_files(folder, *(f"told{rank}" for rank in range(4)))
        run("ip", "link", "set", "near0", "up")
    # With several firmwares, the wire notices before the meeting.
    is_wire = "connection to rank" in told[0]
    if "rank 2" not in told[0] + told[1] and "rank 3" not in told[0] + told[1] or \
            not all("does not answer" in text for text in told) or \
            not ("hosts the communicator" in told[3] or is_wire and "connection to rank" in told[3]):
        raise SystemExit(f"the ranks were told {told}")
    print("cut: passed", flush=True)


def play_table(networks, firmwares, libraries, address, port):
    """Ranks of a table with two servers. @address: what says where the first one is"""
    devices = [{"device_id": str(rank), "rank_id": str(rank)} for rank in range(4)]
    devices[0] |= {"host_port": str(port)} if port else {}
    servers = [{"server_id": "node_0", "device": devices[:2]} | address, {"server_id": "node_1", "device": devices[2:]}]
    with tempfile.TemporaryDirectory() as folder:
        write(folder, "table.json", json.dumps({"status": "completed", "version": "1.0", "server_list": servers}))
        with socket.create_server((ADDRESSES[0], port or 60000)) as holder:
            refuses(libraries, firmwares[0], UNAVAIL, [f"process {os.getpid()} (", "rank 0 in the rank table", str(port or 60000)],
                    table=os.path.join(folder, "table.json"))
            holder.close()
        finish("table", start(networks, firmwares, libraries, "table", folder))
    print(f"table with {address}: passed", flush=True)


def connect(networks, port):
    """From the other network."""
    with networks.far():
        return socket.create_connection((ADDRESSES[0], port), timeout=SECONDS)


def is_closed(peer):
    """The other side ends the connection, and has said nothing."""
    peer.settimeout(SECONDS)
    with contextlib.suppress(ConnectionResetError):
        return peer.recv(64) == b""
    return True


def play_strangers(networks, firmwares, libraries):
    """Strangers come to the port, and the ranks meet all the same."""
    with tempfile.TemporaryDirectory() as folder:
        processes = start(networks, firmwares, libraries, "late", folder, HCCL_IF_BASE_PORT="61000")
        await_files(folder, "root")
        root = open(os.path.join(folder, "root"), "rb").read()
        good = knock.derive(knock.DOOR, knock.secret_of(root))
        for words in (b"GET / HTTP/1.1\r\n\r\n" * 20, knock.knock(b"\1" * 16), knock.knock(good, wish=knock.WIRE),
                      knock.knock(good, version=knock.VERSION + 1), knock.knock(knock.secret_of(root)), b"\0" * 64, b"\xff" * 4096):
            with connect(networks, 61000) as peer:
                peer.sendall(words)
                if not is_closed(peer):
                    raise SystemExit(f"{words[:16]} was answered")
        silent, since = connect(networks, 61000), time.monotonic()
        silent.sendall(knock.knock(good)[:63])
        if not is_closed(silent) or not 3 < time.monotonic() - since < 20:
            raise SystemExit(f"a half KNOCK was cut off after {time.monotonic() - since:.1f} s")
        crowd = [connect(networks, 61000) for _ in range(200)]
        for peer in crowd[:100]:
            peer.sendall(b"half")
        write(folder, "go", "")
        finish("late", processes)
        for peer in crowd:
            if peer in crowd[:100] and not is_closed(peer):
                raise SystemExit("one of the crowd was answered")
            peer.close()
        # The port is closed with the last communicator.
        with contextlib.suppress(ConnectionRefusedError):
            connect(networks, 61000).close()
            raise SystemExit("the port is still open")
    if len(root) != client.ROOT_INFO_BYTES:
        raise SystemExit("there is no root information")
    print("strangers: passed", flush=True)


def root_info(libraries, firmware, table="", **environment):
    """What HcclGetRootInfo gives with these settings, or rank 0 of a table, in a process that lives as long as its input is open. Return: the
    process, and the bytes, or the code and the sentence."""
    words = ("import sys, client\nrank = client.Rank(sys.argv[1], 0)\n"
             "import ctypes\n"
             "try:\n    print(rank.root_info().hex() if not sys.argv[2] else rank.call('HcclCommInitClusterInfo',\n"
             "          sys.argv[2].encode(), ctypes.c_uint32(0), ctypes.byref(rank.comm)))\n"
             "except client.Failed as failure:\n    print(failure.code, failure.text)\n"
             "sys.stdout.flush()\nsys.stdin.read()\n")
    process = subprocess.Popen([sys.executable, "-B", "-c", words, libraries, table], cwd=ABOVE, stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True,
                               env=dict(os.environ, UNPU_DEVICE=f"unix:{firmware.path}", **environment))
    said = process.stdout.readline().strip()
    return process, bytes.fromhex(said) if len(said) == 2 * client.ROOT_INFO_BYTES else said


def give_back(process):
    process.communicate(timeout=SECONDS)


def play_layout(networks, libraries, firmware):
    """A handshake with the right secret is answered: so those of strangers were refused for what they said. Who only
    knows the name of a meeting is told nothing after that, and an old proof proves nothing."""
    process, info = root_info(libraries, firmware)
    (_, port), = knock.places(info)
    with connect(networks, port) as peer:
        session = knock.Session(peer, knock.DOOR, knock.secret_of(info))
        if not session.is_answered or not session.is_host:
            raise SystemExit("the host has not proved that it is the host")
        # A rank that is refused hears why: it is alone, and names two ranks of the same number.
        session.send(knock.HELLO, knock.introduction(instance=1))
        with connect(networks, port) as second:
            other = knock.Session(second, knock.DOOR, knock.secret_of(info))
            other.send(knock.HELLO, knock.introduction(instance=2))
            if len(session.take(4)) != 4 or len(other.take(4)) != 4:
                raise SystemExit("two ranks of one number were not told")
    give_back(process)
    print("layout: passed", flush=True)


def refuses(libraries, firmware, code, words, table="", **environment):
    process, said = root_info(libraries, firmware, table, **environment)
    give_back(process)
    if isinstance(said, bytes) or not said.startswith(f"{code} ") or not all(word in said for word in words):
        raise SystemExit(f"{environment} gave {said if isinstance(said, str) else knock.places(said)}")


def play_settings(libraries, firmware):
    """Addresses and ports are those of the settings; wrong settings are refused with their names."""
    for name, address in (("dockerx", "10.78.0.1"), ("eth7", "10.79.0.1")):
        run("ip", "link", "add", name, "type", "veth", "peer", "name", "p" + name)
        run("ip", "address", "add", f"{address}/24", "dev", name)
        run("ip", "link", "set", name, "up")
    run("ip", "-6", "address", "add", "fd00:77::1/64", "dev", "near0", "nodad")
    near, docker, eth, six, loop = (ADDRESSES[0], "10.78.0.1", "10.79.0.1", "fd00:77::1", "127.0.0.1")
    for wanted, settings in (
            ([near, eth], {}), ([near, eth], {"HCCL_SOCKET_FAMILY": "AF_INET"}),
            ([six], {"HCCL_SOCKET_FAMILY": "AF_INET6"}), ([eth], {"HCCL_SOCKET_IFNAME": "eth"}),
            ([docker, eth], {"HCCL_SOCKET_IFNAME": "dock,eth"}), ([eth], {"HCCL_SOCKET_IFNAME": "=eth7"}),
            ([near, eth], {"HCCL_SOCKET_IFNAME": "^dock"}), ([near], {"HCCL_SOCKET_IFNAME": "^=dockerx,eth7"}),
            ([docker], {"HCCL_SOCKET_IFNAME": "^near,eth"}), ([loop], {"HCCL_SOCKET_IFNAME": "^near,eth,docker"}),
            ([loop], {"HCCL_IF_IP": loop, "HCCL_SOCKET_IFNAME": "eth"}), ([six], {"HCCL_IF_IP": six})):
        process, info = root_info(libraries, firmware, **settings)
        found = knock.places(info) if isinstance(info, bytes) else info
        give_back(process)
        if sorted(place[0] for place in found) != sorted(wanted):
            raise SystemExit(f"{settings} gave {found}, not {wanted}")
    refuses(libraries, firmware, PARA, ["HCCL_IF_IP is 10.77.0.99", "no address of this machine", near],
            HCCL_IF_IP="10.77.0.99")
    for name, value in (("HCCL_IF_IP", "localhost"), ("HCCL_SOCKET_IFNAME", "nope"), ("HCCL_SOCKET_IFNAME", "=eth"),
                        ("HCCL_SOCKET_IFNAME", "^"), ("HCCL_SOCKET_IFNAME", "eth,,lo"), ("HCCL_SOCKET_IFNAME", "e" * 16),
                        ("HCCL_SOCKET_FAMILY", "AF_UNIX"), ("HCCL_IF_BASE_PORT", "80"), ("HCCL_IF_BASE_PORT", "65521"),
                        ("HCCL_IF_BASE_PORT", "6e4"), ("HCCL_HOST_SOCKET_PORT_RANGE", "5-3"),
                        ("HCCL_HOST_SOCKET_PORT_RANGE", "0"), ("HCCL_HOST_SOCKET_PORT_RANGE", "60000,"),
                        ("HCCL_HOST_SOCKET_PORT_RANGE", "60000-65536"), ("HCCL_HOST_SOCKET_PORT_RANGE", "x")):
        refuses(libraries, firmware, PARA, [name, f'"{value}"'], **{name: value})
    for name in ("dockerx", "eth7"):
        run("ip", "link", "delete", name)
    print("settings: passed", flush=True)


def play_ports(libraries, firmware):
    """The first port that is free is taken; where none is, the sentence says who has the first one."""
    ports, held = {"HCCL_HOST_SOCKET_PORT_RANGE": "61100,61102-61103", "HCCL_IF_BASE_PORT": "62000"}, []
    for wanted in (61100, 61102, 61103):
        process, info = root_info(libraries, firmware, **ports)
        if not isinstance(info, bytes) or knock.places(info) != [(ADDRESSES[0], wanted)]:
            raise SystemExit(f"port {wanted} was not taken, but {info}")
        held.append(process)
    refuses(libraries, firmware, UNAVAIL, ["HCCL_HOST_SOCKET_PORT_RANGE=61100,61102-61103", ADDRESSES[0],
                                           f"process {held[0].pid} (python", "61100"], **ports)
    process, info = root_info(libraries, firmware, **dict(ports, HCCL_HOST_SOCKET_PORT_RANGE="auto"))
    if knock.places(info)[0][1] in range(61100, 61104):
        raise SystemExit(f"auto gave {knock.places(info)}")
    for each in [process, *held]:
        give_back(each)
    crowd = []
    for number in range(16):
        crowd.append(socket.create_server((ADDRESSES[0], 62000 + number)))
    refuses(libraries, firmware, UNAVAIL, ["HCCL_IF_BASE_PORT=62000", f"process {os.getpid()} ("], HCCL_IF_BASE_PORT="62000")
    crowd[9].close()
    process, info = root_info(libraries, firmware, HCCL_IF_BASE_PORT="62000")
    give_back(process)
    if not isinstance(info, bytes) or knock.places(info) != [(ADDRESSES[0], 62009)]:
        raise SystemExit(f"port 62009 was not taken, but {info}")
    for each in crowd:
        each.close()
    print("ports: passed", flush=True)


def has_ucx(libraries):
    """Whether UCX was there for the build."""
    return os.path.exists(os.path.join(libraries, "libhccl_wire_ucx.so"))


def enter_network():
    """Starts this program again, in a network namespace of its own. OSError says why that can't be."""
    if os.environ.get("UNPU_TEST_NETWORKS") == "1":
        return
    if not shutil.which("unshare") or not shutil.which("ip") or not shutil.which("nsenter"):
        raise OSError("there is no unshare, nsenter or ip")
    if subprocess.run(["unshare", "-rnm", "sh", "-c", MOUNT + "true"], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        raise OSError("the kernel allows no network namespaces here")
    os.environ["UNPU_TEST_NETWORKS"] = "1"
    os.execvp("unshare", ["unshare", "-rnm", "sh", "-c", MOUNT + 'exec "$@"', "sh", sys.executable, "-B", *sys.argv])


def main():
    libraries = os.path.dirname(os.path.abspath(sys.argv[2]))
    try:
        enter_network()
        networks = Networks()
    except (OSError, subprocess.CalledProcessError) as why:
        print(f"skipped: two network namespaces can't be joined here: {why}")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as other:
        firmwares = [Firmware(sys.argv[1], folder), Firmware(sys.argv[1], other)]
        try:
            for scene in ("flow", "subs"):
                play(networks, firmwares[:1], libraries, scene)
                play(networks, firmwares, libraries, scene)
            if has_ucx(libraries):
                play(networks, firmwares, libraries, "flow", UNPU_HCCL_WIRE="ucx", HCCL_SOCKET_IFNAME="near,far")
            play_table(networks, firmwares[:1], libraries, {"host_ip": ADDRESSES[0]}, 0)
            play_table(networks, firmwares[:1], libraries, {"server_id": ADDRESSES[0]}, 61234)
            play_layout(networks, libraries, firmwares[0])
            play_strangers(networks, firmwares[:1], libraries)
            play_settings(libraries, firmwares[0])
            play_ports(libraries, firmwares[0])
            play_early(networks, firmwares[:1], libraries)
            for some in (firmwares[:1], firmwares):
                play_kill(networks, some, libraries)
                play_cut(networks, some, libraries)
        finally:
            networks.end()
            for firmware in firmwares:
                firmware.end()


if __name__ == "__main__":
    main()
