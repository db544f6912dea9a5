#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""crowd.py FIRMWARE_SIM PROGRAM ISLANDS DEVICES [--table]: ISLANDS firmwares with DEVICES devices each, and for each a process
whose threads are ranks. All run each operation of crowd.cpp and compare the results. --table prints what they took."""
import os
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

from processes import Firmware, await_files  # noqa: E402

SECONDS = 1200


def read_report(path):
    """The sections of a report: names and numbers."""
    sections, now = {}, None
    with open(path, encoding="utf-8") as file:
        for line in file:
            words = line.split()
            if len(words) == 1:
                now = sections.setdefault(words[0], {})
            else:
                now[" ".join(words[:-1])] = float(words[-1])
    return sections


def end_all(processes):
    """Waits for all. One that fails ends the others."""
    deadline = time.monotonic() + SECONDS
    left = dict(enumerate(processes))
    while left:
        for number, process in list(left.items()):
            if process.poll() is None:
                continue
            del left[number]
            if process.returncode != 0:
                for each in left.values():
                    each.kill()
                raise SystemExit(f"the process of island {number} ended with {process.returncode}")
        if time.monotonic() > deadline:
            for each in left.values():
                each.kill()
            raise SystemExit(f"{len(left)} processes hang")
        time.sleep(0.02)


def memory_of(pid):
    with open(f"/proc/{pid}/status", encoding="utf-8") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))


def print_table(reports, firmwares, devices):
    for section in ("joined", "done"):
        for name in reports[0][section]:
            most = max(report[section][name] for report in reports)
            print(f"{section}: {name} {most:.0f} of a process, {most / devices:.0f} of a rank")
    print(f"firmware: VmRSS {max(memory_of(each.process.pid) for each in firmwares)}")
    for name in reports[0]["times"]:
        print(f"{name}: {max(report['times'][name] for report in reports) * 1000:.1f} ms")


def main():
    program, ranks_program = (os.path.abspath(path) for path in sys.argv[1:3])
    islands, devices = int(sys.argv[3]), int(sys.argv[4])
    settings = dict(os.environ, HCCL_CONNECT_TIMEOUT="300", UNPU_HANG_S="0")
    settings.setdefault("HCCL_BUFFSIZE", "1")
    with tempfile.TemporaryDirectory() as folder:
        firmwares, processes = [], []
        try:
            for island in range(islands):
                firmwares.append(Firmware(program, folder, f"npu{island}", devices))
            for island, firmware in enumerate(firmwares):
                settings["UNPU_DEVICE"] = f"unix:{firmware.path}"
                processes.append(subprocess.Popen([ranks_program, str(islands * devices), str(island * devices), str(devices),
                                                   folder], env=settings))
                if island == 0:
                    await_files(folder, "root")
            end_all(processes)
            if "--table" in sys.argv:
                reports = [read_report(os.path.join(folder, f"report.{island * devices}")) for island in range(islands)]
                print_table(reports, firmwares, devices)
        finally:
            for process in processes:
                process.kill()
            for firmware in firmwares:
                firmware.end()
    print(f"{islands * devices} ranks, {islands} firmwares: passed", flush=True)


if __name__ == "__main__":
    main()
