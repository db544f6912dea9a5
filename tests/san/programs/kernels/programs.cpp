// SPDX-License-Identifier: MIT
/**
 * DOC: programs with kernels of their own, judged by what the kernels have accessed, and the main() of them
 */
#include "acl.h"

int launch_declared(void *stream, void *in, void *out, uint32_t declared, uint32_t count);
int launch_double(void *stream, void *in, void *out, uint32_t from, uint32_t count);
int launch_double_tiled(void *stream, void *tiling, void *in, void *out);
int launch_double_twice(void *stream, void *in, void *work, void *out, uint32_t count);
int launch_add_to(void *stream, void *in, void *out, uint32_t count);
int launch_copy_column(void *stream, void *in, void *out, uint32_t from, uint32_t width,
		       uint32_t rows, uint32_t pitch);
int launch_double_each(void *stream, void *in, void *table, uint32_t tensors, uint32_t count);
int launch_clear_and_add(void *stream, void *in, void *out, uint32_t count);
int launch_scatter(void *stream, void *out, uint32_t parity);

constexpr uint32_t FLOATS = BYTES / sizeof(float), HALF = FLOATS / 2, TILE = 64;
constexpr size_t SCATTERED = 600 * 600 * 2 * sizeof(float);

/* Device memory with a number in each float, which is 2 * NUMBER after double_part. */
static char *new_numbers()
{
	char *memory = new_memory();
	OK(aclrtMemset(memory, BYTES, 1, BYTES));
	return memory;
}

/* Whether @count floats from float @from on are twice the number. */
static bool are_doubled(const std::vector<char> &bytes, uint32_t from, uint32_t count)
{
	float number;
	std::memset(&number, 1, sizeof(number));
	for (uint32_t i = from; i < from + count; i++) {
		float value;
		std::memcpy(&value, &bytes[i * sizeof(value)], sizeof(value));
		if (value != 2 * number)
			return false;
	}
	return true;
}

CORRECT(K01_halves_of_one_allocation)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	OK(launch_double(a, in, out, 0, HALF));
	OK(launch_double(b, in, out, HALF, HALF));
	OK(aclrtSynchronizeDevice());
	EXPECT(has(out, 0));
}

PROGRAM(K02_halves_that_overlap, "RACE-WAW")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *numbers = new_numbers(), *out = new_memory();
	OK(launch_double(a, in, out, 0, fixed ? HALF : HALF + TILE));
	OK(launch_double(b, numbers, out, HALF, HALF));
	OK(aclrtSynchronizeDevice());
	EXPECT(are_doubled(contents(out), HALF, HALF));
}

PROGRAM(K03_results_that_are_read_too_early, "RACE-RAW")
{
	aclrtStream compute = new_stream(), copies = new_stream();
	char *in = new_numbers(), *out = new_memory(), *host = new_pinned();
	aclrtEvent done = new_event();
	OK(launch_double(compute, in, out, HALF, HALF));
	if (fixed) {
		record(done, compute);
		wait(copies, done);
	}
	copy(copies, host, out);
	OK(aclrtSynchronizeDevice());
	EXPECT(are_doubled(host_read(host), HALF, HALF));
}

CORRECT(K04_one_tiling_of_two_kernels)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory(), *other = new_memory();
	char *tiling = new_memory();
	const uint32_t numbers[] = {0, FLOATS};
	OK(aclrtMemcpy(tiling, BYTES, numbers, sizeof(numbers), ACL_MEMCPY_HOST_TO_DEVICE));
	OK(launch_double_tiled(a, tiling, in, out));
	OK(launch_double_tiled(b, tiling, in, other));
	OK(aclrtSynchronizeDevice());
}

PROGRAM(K05_a_tiling_that_comes_too_late, "RACE-PARTIAL")
{
	aclrtStream compute = new_stream(), copies = new_stream();
	char *in = new_memory(), *out = new_memory();
	char *tiling = new_memory(), *host = new_pinned();
	aclrtEvent ready = new_event();
	const uint32_t numbers[] = {0, FLOATS};
	std::memcpy(host, numbers, sizeof(numbers));
	copy(copies, tiling, host, sizeof(numbers));
	if (fixed) {
		record(ready, copies);
		wait(compute, ready);
	}
	OK(launch_double_tiled(compute, tiling, in, out));
	OK(aclrtSynchronizeDevice());
}

CORRECT(K06_sums_in_any_order)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	OK(launch_add_to(a, in, out, FLOATS));
	OK(launch_add_to(b, in, out, FLOATS));
	OK(aclrtSynchronizeDevice());
}

PROGRAM(K07_a_sum_that_is_read_too_early, "RACE-RAW")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *sum = new_memory(), *out = new_memory();
	OK(launch_add_to(a, in, sum, FLOATS));
	if (fixed)
		sync(a);
	OK(launch_double(b, sum, out, 0, FLOATS));
	OK(aclrtSynchronizeDevice());
}

CORRECT(K08_a_workspace_without_values)
{
	aclrtStream stream = new_stream();
	char *in = new_memory(), *work = new_undefined(), *out = new_undefined();
	OK(launch_double_twice(stream, in, work, out, FLOATS));
	sync(stream);
	EXPECT(has(out, 0));
}

PROGRAM(K09_an_input_without_values, "UNINIT")
{
	aclrtStream stream = new_stream();
	char *in = fixed ? new_memory() : new_undefined(), *out = new_memory();
	OK(launch_double(stream, in, out, 0, FLOATS));
	sync(stream);
}

CORRECT(K10_columns_side_by_side)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	OK(launch_copy_column(a, in, out, 0, 16, 32, 32));
	OK(launch_copy_column(b, in, out, 16, 16, 32, 32));
	OK(aclrtSynchronizeDevice());
}

PROGRAM(K11_columns_that_overlap, "RACE-WAW")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	OK(launch_copy_column(a, in, out, 0, fixed ? 16 : 24, 32, 32));
	OK(launch_copy_column(b, in, out, 16, 16, 32, 32));
	OK(aclrtSynchronizeDevice());
}

/* There are too many ranges to tell, so that all between them counts. */
PROGRAM(K12_scattered_stores, "RACE-PARTIAL")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *out = new_memory(SCATTERED);
	aclrtEvent done = new_event();
	OK(launch_scatter(a, out, 0));
	if (fixed) {
		record(done, a);
		wait(b, done);
	}
	OK(launch_scatter(b, out, 1));
	OK(aclrtSynchronizeDevice());
}

/* Two branches of a graph, and a launch of it. */
PROGRAM(K13_branches_of_a_graph, "GRAPH-RACE")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *numbers = new_numbers(), *out = new_memory();
	aclrtEvent fork = new_event(), join = new_event();
	aclmdlRI graph = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	record(fork, a);
	wait(b, fork);
	OK(launch_double(a, in, out, 0, fixed ? HALF : HALF + TILE));
	OK(launch_double(b, numbers, out, HALF, HALF));
	record(join, b);
	wait(a, join);
	OK(aclmdlRICaptureEnd(a, &graph));
	OK(aclmdlRIExecuteAsync(graph, a));
	OK(aclmdlRIExecuteAsync(graph, a));
	sync(a);
	EXPECT(are_doubled(contents(out), HALF, HALF));
	OK(aclmdlRIDestroy(graph));
}

PROGRAM(K14_a_graph_beside_a_stream, "RACE-WAW")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	aclmdlRI graph = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	OK(launch_double(a, in, out, 0, HALF));
	OK(aclmdlRICaptureEnd(a, &graph));
	OK(aclmdlRIExecuteAsync(graph, a));
	OK(launch_double(b, in, out, fixed ? HALF : HALF - TILE, HALF));
	OK(aclrtSynchronizeDevice());
	OK(aclmdlRIDestroy(graph));
}

/* What kernels have told is counted for each stream; the counts of another device begin anew. */
CORRECT(K15_the_same_after_a_reset)
{
	for (int round = 0; round < 2; round++) {
		aclrtStream a = new_stream(), b = new_stream();
		char *in = new_memory(), *out = new_undefined();
		OK(launch_double(a, in, out, 0, HALF));
		OK(launch_double(b, in, out, HALF, HALF));
		OK(aclrtSynchronizeDevice());
		OK(aclrtResetDeviceForce(0));
		OK(aclrtSetDevice(0));
	}
}

/* In a graph too, no order is missing that may not be needed. */
PROGRAM(K17_scattered_stores_of_a_graph, "RACE-PARTIAL")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *out = new_memory(SCATTERED);
	aclrtEvent fork = new_event(), join = new_event();
	aclmdlRI graph = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	if (!fixed) {
		record(fork, a);
		wait(b, fork);
	}
	OK(launch_scatter(a, out, 0));
	if (fixed) {
		record(fork, a);
		wait(b, fork);
	}
	OK(launch_scatter(b, out, 1));
	record(join, b);
	wait(a, join);
	OK(aclmdlRICaptureEnd(a, &graph));
	OK(aclmdlRIExecuteAsync(graph, a));
	sync(a);
	OK(aclmdlRIDestroy(graph));
}

/* It is not known what the nodes access. */
PROGRAM(K18_a_graph_that_never_runs, "RACE-PARTIAL")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	aclrtEvent fork = new_event(), join = new_event();
	aclmdlRI graph = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	record(fork, a);
	wait(b, fork);
	OK(launch_double(a, in, out, 0, HALF));
	OK(launch_double(b, in, out, HALF, HALF));
	record(join, b);
	wait(a, join);
	OK(aclmdlRICaptureEnd(a, &graph));
	if (fixed)
		OK(aclmdlRIExecuteAsync(graph, a));
	sync(a);
	OK(aclmdlRIDestroy(graph));
}

/* A table in memory names what the node writes; each launch has another table. */
PROGRAM(K19_a_graph_that_follows_a_table, "RACE-PARTIAL")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *table = new_memory();
	char *outs[2] = {new_memory(), new_memory()};
	aclmdlRI graph = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	OK(launch_double_each(a, in, table, 1, TILE));
	OK(aclmdlRICaptureEnd(a, &graph));
	for (char *out : outs) {
		OK(aclrtMemcpy(table, BYTES, &out, sizeof(out), ACL_MEMCPY_HOST_TO_DEVICE));
		OK(aclmdlRIExecuteAsync(graph, a));
		if (out == outs[1])
			fill(fixed ? a : b, outs[0]);
		sync(a);
	}
	sync(b);
	OK(aclmdlRIDestroy(graph));
}

/* More tensors than a record of the trace has operands. */
PROGRAM(K20_fifty_tensors_of_a_table, "RACE-WAW")
{
	constexpr uint32_t COUNT = 50;
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *table = new_memory();
	char *outs[COUNT];
	for (char *&out : outs)
		out = new_memory();
	OK(aclrtMemcpy(table, BYTES, outs, sizeof(outs), ACL_MEMCPY_HOST_TO_DEVICE));
	OK(launch_double_each(a, in, table, COUNT, TILE));
	if (fixed)
		sync(a);
	fill(b, outs[COUNT - 1]);
	OK(aclrtSynchronizeDevice());
}

CORRECT(K21_sums_that_begin_with_zeros)
{
	aclrtStream stream = new_stream();
	char *in = new_memory(), *out = new_undefined();
	OK(launch_clear_and_add(stream, in, out, FLOATS));
	sync(stream);
	EXPECT(has(out, 0));
}

/* A whole last block is the kernel's. */
PROGRAM(K23_stores_that_are_too_many, "OVERRUN")
{
	aclrtStream stream = new_stream();
	char *in = new_memory(), *out = new_memory(fixed ? BYTES - 8 : BYTES - 40);
	OK(launch_double(stream, in, out, 0, FLOATS));
	sync(stream);
}

/* The allocation has room for them, and the kernel has said that its tensor has not. */
PROGRAM(K24_stores_behind_the_tensor, "OVERRUN")
{
	aclrtStream stream = new_stream();
	char *in = new_memory(), *out = new_memory();
	OK(launch_declared(stream, in, out, fixed ? FLOATS : FLOATS - 8, FLOATS));
	sync(stream);
}

/* The runtime takes the accesses of these launches from the device before the device has to drop some. */
CORRECT(K22_launches_without_a_wait)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *in = new_memory(), *out = new_memory();
	for (int i = 0; i < 20000; i++) {
		OK(launch_double(a, in, out, 0, TILE));
		if (i % 10 == 0)
			OK(launch_double(b, in, out, HALF, TILE));
	}
	OK(aclrtSynchronizeDevice());
}

/* Nobody waits for the kernel, so nobody knows what it has read. */
CORRECT(K16_an_output_that_is_never_used)
{
	aclrtStream stream = new_stream();
	char *in = new_memory(), *out = new_undefined();
	OK(launch_double(stream, in, out, 0, FLOATS));
	OK(aclrtDestroyStreamForce(stream));
}

static void prepare()
{
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(0));
}

static void finish()
{
	OK(aclrtResetDeviceForce(0));
	OK(aclFinalize());
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
