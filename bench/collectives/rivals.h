// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <functional>

#include "harness/round.h"

namespace bench {

/** gloo_all_reduce() - an AllReduce of @bytes bytes of floats by Gloo over TCP, whose ranks are threads.
 * @batch: calls in each sample */
Summary gloo_all_reduce(uint32_t ranks, uint64_t bytes, unsigned samples, unsigned batch);

/** mpi_all_reduce() - the same by an MPI whose ranks are processes of @program.
 * Return: false when it can't be run. */
bool mpi_all_reduce(const char *program, uint32_t ranks, uint64_t bytes, unsigned samples,
		    unsigned batch, Summary &summary);

} // namespace bench
