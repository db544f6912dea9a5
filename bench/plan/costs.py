# SPDX-License-Identifier: MIT
"""What the parts of an operation cost. Times are seconds, rates are bytes per second.

MEASURED is what measure.py found on one machine; RACK is what we assume of a machine of its own for each island, with a
network between them."""
import dataclasses

US = 1e-6
GB = 1e9


@dataclasses.dataclass(frozen=True)
class Costs:
    """A machine of each island, and the wire between them."""
    call: float          # the host, before the first packet of a call
    submit: float        # the host, for each packet
    packet: float        # the device, for each packet
    copy_rate: float     # one device copies
    fold_rate: float     # one device reduces: bytes of the result
    memory_rate: float   # all devices of a machine copy at once
    meeting: float       # a wait for the other ranks of an island, beside its packets
    wake: float          # a device that waits is woken
    host_task: float     # a stream runs a function of the host; half of it before the function
    wire_wake: float     # the wire's thread is woken
    frame: float        # the wire's thread, for each frame, on either side
    note: float          # the same thread compares a call with that of one rank
    latency: float       # of the network, one way
    connection_rate: float
    nic_rate: float      # all connections of a machine, each way


# One machine with two CPUs and a load of 3 to 6 by other programs. Islands are firmwares, and the network is its loopback
# device. @call and @note are assumed.
MEASURED = Costs(call=5 * US, submit=1.4 * US, packet=1.4 * US, copy_rate=8.5 * GB, fold_rate=1.4 * GB, memory_rate=6.2 * GB,
                 meeting=21 * US, wake=34 * US, host_task=19 * US, wire_wake=34 * US, frame=34 * US, note=0.004 * US,
                 latency=16 * US, connection_rate=0.37 * GB, nic_rate=0.37 * GB)

# Nothing here is measured: a CPU for each thread, 16 devices in each machine, and one card of 100 Gb/s for all of them.
RACK = Costs(call=5 * US, submit=0.2 * US, packet=0.3 * US, copy_rate=8 * GB, fold_rate=5 * GB, memory_rate=100 * GB,
             meeting=3 * US, wake=5 * US, host_task=15 * US, wire_wake=6 * US, frame=3 * US, note=0.004 * US,
             latency=15 * US, connection_rate=3 * GB, nic_rate=12.5 * GB)

MODELS = {"measured": MEASURED, "rack": RACK}
