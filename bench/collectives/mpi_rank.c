/* SPDX-License-Identifier: MIT */
/*
 * DOC: MPI rank
 *
 * mpi_rank BYTES SAMPLES BATCH: rank 0 prints nanoseconds for one MPI_Allreduce() in each line.
 */
#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	int rank = 0;
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	if (argc != 4)
		return 2;
	const int count = (int)(strtoul(argv[1], NULL, 10) / sizeof(float));
	const int samples = atoi(argv[2]);
	const int batch = atoi(argv[3]);
	float *from = calloc((size_t)count, sizeof(float));
	float *to = calloc((size_t)count, sizeof(float));
	/* The first sample is the warm-up. */
	for (int i = 0; i <= samples; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		const double began = MPI_Wtime();
		for (int k = 0; k < batch; k++)
			MPI_Allreduce(from, to, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank == 0 && i > 0)
			printf("%.1f\n", (MPI_Wtime() - began) * 1e9 / batch);
	}
	free(from);
	free(to);
	return MPI_Finalize();
}
