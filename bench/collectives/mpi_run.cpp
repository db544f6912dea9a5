// SPDX-License-Identifier: MIT
/**
 * DOC: A run of an MPI
 *
 * An MPI takes over a process, so its ranks are processes of a program of their own. It prints a sample in each line.
 */
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "collectives/rivals.h"

namespace bench {

std::vector<Mpi> installed_mpis()
{
	return {
#ifdef BENCH_RANK_openmpi
		/* It binds ranks to CPUs and starts no more than there are, and none as root, unless it is told. */
		{"OpenMPI",
		 "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpiexec.openmpi "
		 "--oversubscribe --bind-to none -n",
		 BENCH_RANK_openmpi},
#endif
#ifdef BENCH_RANK_mpich
		{"MPICH", "mpiexec.mpich -n", BENCH_RANK_mpich},
#endif
	};
}

bool mpi_all_reduce(const Mpi &mpi, uint32_t ranks, uint64_t bytes, unsigned samples,
		    unsigned batch, Summary &summary)
{
	const std::string command = fmt::format("{} {} {} {} {} {} 2>/dev/null", mpi.start, ranks,
						mpi.program, bytes, samples, batch);
	FILE *output = popen(command.c_str(), "r");
	if (!output)
		return false;
	double ns = 0;
	while (fscanf(output, "%lf", &ns) == 1)
		summary.batches_ns.push_back(ns);
	const bool has_ended = pclose(output) == 0 && summary.batches_ns.size() == samples;
	std::vector<double> sorted = summary.batches_ns;
	summary.median_ns = quantile(sorted, 0.5);
	summary.p99_ns = quantile(sorted, 0.99);
	return has_ended;
}

} // namespace bench
