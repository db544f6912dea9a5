// SPDX-License-Identifier: MIT
/**
 * DOC: Peers
 *
 * Other libraries to which a program can give work. Measured is the smallest task that the library
 * has: submit it and wait for it. Each peer is a file, which is compiled if its library is
 * installed.
 */
#pragma once

#include "harness/round.h"

namespace bench {

/** struct Peer - @run is nullptr where the library was not found. */
struct Peer {
	const char *name;
	void (*run)(const Effort &effort, Round &round);
};

/** peer_key() - of a measure: "peer.NAME.WHAT". */
inline std::string peer_key(const char *name, const char *what)
{
	return std::string("peer.") + name + "." + what;
}

/* How often a round trip between two threads is made. */
inline Plan trip_plan(const Effort &effort)
{
	return {100, effort.scaled(100), 20, effort.scaled(2000)};
}

/** add_trip() - times one operation as a round trip. */
template <class Operation>
void add_trip(const Effort &effort, Round &round, const char *name, const char *what,
	      const char *title, Operation &&operation)
{
	round.push_back({peer_key(name, what), title, measure(trip_plan(effort), operation)});
}

void run_standard(const Effort &effort, Round &round);
void run_tbb(const Effort &effort, Round &round);
void run_taskflow(const Effort &effort, Round &round);
void run_boost(const Effort &effort, Round &round);
void run_zeromq(const Effort &effort, Round &round);
void run_dpdk(const Effort &effort, Round &round);
void run_opencl_basic(const Effort &effort, Round &round);
void run_opencl_threads(const Effort &effort, Round &round);
void run_lavapipe(const Effort &effort, Round &round);
void run_hip_cpu(const Effort &effort, Round &round);

} // namespace bench
