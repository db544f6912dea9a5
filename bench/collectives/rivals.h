// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "harness/round.h"

namespace bench {

/** gloo_all_reduce() - an AllReduce of @bytes bytes of floats by Gloo over TCP, whose ranks are threads.
 * @batch: calls in each sample */
Summary gloo_all_reduce(uint32_t ranks, uint64_t bytes, unsigned samples, unsigned batch);

/** struct Mpi - an MPI that is installed. */
struct Mpi {
	const char *name;
	const char *start; /* what starts a number of ranks, which follows */
	const char *program;
};

/** installed_mpis() - those that the build has found. */
std::vector<Mpi> installed_mpis();

/** mpi_all_reduce() - the same by an MPI, whose ranks are processes.
 * Return: false when it can't be run. */
bool mpi_all_reduce(const Mpi &mpi, uint32_t ranks, uint64_t bytes, unsigned samples,
		    unsigned batch, Summary &summary);

} // namespace bench
