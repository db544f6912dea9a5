// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs that write pinned memory by themselves
 *
 * Their loads and stores are in no trace. The mistakes among them are found by the contents of the memory.
 */
#include <atomic>
#include <thread>

#include <sys/mman.h>
#include <unistd.h>

#include "acl.h"

/* Several pages lie in an allocation of this size. */
static constexpr size_t PAGES = 64 << 10;

PROGRAM(H01_source_is_written_in_flight, "HOST-WRITE-INFLIGHT+ SHOWS")
{
	aclrtStream stream = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory();
	copy(stream, x, host);
	if (fixed)
		sync(stream);
	host[100] = 2;
	sync(stream);
	EXPECT(has(x, 1));
}

/* Step i + 1 prepares its input while that of step i is still to be copied. */
PROGRAM(H02_next_step_is_prepared_too_early, "HOST-WRITE-INFLIGHT+ SHOWS")
{
	constexpr size_t LONG = 256 << 10;
	aclrtStream stream = new_stream();
	char *host = new_pinned(LONG), *x = new_memory(4 * LONG), *y = new_memory(LONG);
	aclrtEvent copied = new_event();
	for (char step = 0; step < 4; step++) {
		std::memset(host + LONG / 2, step, LONG / 2);
		copy(stream, x + step * LONG, host, LONG);
		record(copied, stream);
		add(stream, y, x, x, LONG);
		if (fixed)
			OK(aclrtSynchronizeEvent(copied));
	}
	sync(stream);
	for (char step = 0; step < 4; step++)
		EXPECT(has(x + step * LONG + LONG / 2, step, LONG / 2));
}

/* Rows are copied; only the repaired program leaves them alone. */
PROGRAM(H03_rows_are_written_in_flight, "HOST-WRITE-INFLIGHT+ SHOWS")
{
	constexpr size_t ROWS = 64, PITCH = 128, WIDTH = 100;
	aclrtStream stream = new_stream();
	char *host = new_pinned(ROWS * PITCH, 1), *x = new_memory(ROWS * WIDTH);
	OK(aclrtMemcpy2dAsync(x, WIDTH, host, PITCH, WIDTH, ROWS, ACL_MEMCPY_HOST_TO_DEVICE,
			      stream));
	for (size_t row = 0; row < ROWS; row++)
		host[row * PITCH + (fixed ? WIDTH : WIDTH - 1)] = 2;
	sync(stream);
	EXPECT(has(x, 1, ROWS * WIDTH));
}

PROGRAM(H04_target_is_written_in_flight, "HOST-WRITE-INFLIGHT+ SHOWS")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	if (fixed)
		sync(stream);
	host[BYTES - 1] = 5;
	sync(stream);
	EXPECT(host[BYTES - 1] == 5);
}

/* The host has the right value before the copy, so that nothing shows what is wrong but a pattern. */
PROGRAM(H05_target_is_read_too_early, "")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned(BYTES, 0);
	copy(stream, host, x);
	if (fixed)
		sync(stream);
	const char seen = std::atomic_ref<char>(host[10]).load();
	sync(stream);
	EXPECT(seen == 0);
}

/* The copy comes after a command that writes its source. */
CORRECT(H10_device_writes_the_source)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	aclrtEvent made = new_event();
	for (char turn = 1; turn < 4; turn++) {
		fill(stream, x, BYTES, turn);
		copy(stream, host, x);
		record(made, stream);
		wait(other, made);
		copy(other, y, host);
		sync(other);
		EXPECT(has(y, turn));
	}
	fill(stream, x, BYTES, 7);
	copy(stream, host, x);
	copy(stream, y, host);
	sync(stream);
	EXPECT(has(y, 7));
}

/* What uses the target before the copy does not meet the pattern. */
CORRECT(H11_target_is_used_before)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *z = new_memory(), *host = new_pinned(BYTES, 3);
	aclrtEvent read = new_event();
	fill(stream, z, BYTES, 4);
	copy(stream, x, host);
	copy(other, y, host);
	record(read, other);
	wait(stream, read);
	copy(stream, host, z);
	sync(stream);
	EXPECT(has(x, 3));
	EXPECT(has(y, 3));
	EXPECT(host[0] == 4);
}

/* The stream waits for a notify, so the memory is the host's until it lets another stream record it. */
CORRECT(H12_host_writes_behind_a_gate)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *source = new_pinned(), *target = new_pinned();
	aclrtNotify gate = nullptr;
	OK(aclrtCreateNotify(&gate, 0));
	fill(stream, y, BYTES, 6);
	for (char turn = 1; turn < 4; turn++) {
		OK(aclrtWaitAndResetNotify(gate, stream, 0));
		copy(stream, x, source);
		copy(stream, target, y);
		std::memset(source, turn, BYTES);
		EXPECT(target[0] == (turn == 1 ? 0 : turn - 1));
		target[0] = 9;
		OK(aclrtRecordNotify(gate, other));
		sync(stream);
		EXPECT(has(x, turn));
		EXPECT(target[0] == 6);
		target[0] = turn;
	}
	OK(aclrtDestroyNotify(gate));
}

/* The same with an event that is a flag. */
CORRECT(H13_host_writes_before_a_flag)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *host = new_pinned();
	aclrtEvent go = new_flag();
	wait(stream, go);
	copy(stream, x, host);
	std::memset(host, 2, BYTES);
	record(go, other);
	sync(stream);
	EXPECT(has(x, 2));
}

static char *of_graph;

/* A host function of a graph writes what a later copy reads. */
CORRECT(H14_graph_writes_the_source)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *y = new_memory();
	of_graph = new_pinned();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	copy(stream, of_graph, x);
	OK(aclrtLaunchHostFunc(
		stream, [](void *) { of_graph[1] = 8; }, nullptr));
	OK(aclmdlRICaptureEnd(stream, &model));
	fill(stream, x, BYTES, 5);
	OK(aclmdlRIExecuteAsync(model, stream));
	copy(stream, y, of_graph);
	sync(stream);
	const std::vector<char> seen = contents(y);
	EXPECT(seen[0] == 5 && seen[1] == 8);
	OK(aclmdlRIDestroy(model));
}

/* Whether the memory may be written is asked, not waited for. */
CORRECT(H15_polled_ring)
{
	aclrtStream stream = new_stream();
	char *ring[2] = {new_pinned(), new_pinned()}, *x = new_memory(8 * BYTES);
	aclrtEvent copied[2] = {new_event(), new_event()};
	for (int i = 0; i < 8; i++) {
		aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
		while (i >= 2 && status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
			OK(aclrtQueryEventStatus(copied[i % 2], &status));
		std::memset(ring[i % 2], i, BYTES);
		copy(stream, x + i * BYTES, ring[i % 2]);
		record(copied[i % 2], stream);
	}
	sync(stream);
	for (int i = 0; i < 8; i++)
		EXPECT(has(x + i * BYTES, static_cast<char>(i)));
}

/* A copy that was dropped has read nothing. */
CORRECT(H16_dropped_copies)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *source = new_pinned(), *target = new_pinned();
	aclrtNotify never = nullptr;
	OK(aclrtCreateNotify(&never, 0));
	OK(aclrtWaitAndResetNotify(never, stream, 0));
	copy(stream, x, source);
	copy(stream, target, x);
	OK(aclrtStreamAbort(stream));
	std::memset(source, 1, BYTES);
	std::memset(target, 1, BYTES);
	/* The call returns the error of the abort. */
	EXPECT(aclrtSynchronizeStream(stream) != ACL_SUCCESS);
	EXPECT(target[0] == 1);
}

/* Bytes beside those of a copy, at all distances from a word's bounds. */
CORRECT(H17_neighbours)
{
	aclrtStream stream = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory();
	for (size_t at = 1; at < 40; at++) {
		copy(stream, x, host + 64, at);
		host[63] = static_cast<char>(at);
		host[64 + at] = static_cast<char>(at);
		sync(stream);
		copy(stream, host + 64, x, at + 64);
		host[63] = 0;
		host[64 + at + 64] = 0;
		sync(stream);
	}
	EXPECT(has(x, 1, 1));
}

/* A ring of three slots. The host waits for a step too few before it fills a slot again; a long task before each copy
 * makes sure that the copy is still to come. */
PROGRAM(H18_ring_waits_for_a_step_too_few, "HOST-WRITE-INFLIGHT+")
{
	constexpr int SLOTS = 3, STEPS = 6;
	constexpr size_t LONG = 8 << 20;
	aclrtStream stream = new_stream();
	char *x = new_memory(STEPS * BYTES), *large = new_memory(LONG);
	char *slots[SLOTS] = {new_pinned(), new_pinned(), new_pinned()};
	aclrtEvent copied[STEPS];
	for (aclrtEvent &event : copied)
		event = new_event();
	for (int i = 0; i < STEPS; i++) {
		const int before = fixed ? i - SLOTS : i - SLOTS - 1;
		if (before >= 0)
			OK(aclrtSynchronizeEvent(copied[before]));
		std::memset(slots[i % SLOTS], i, BYTES);
		fill(stream, large, LONG);
		copy(stream, x + i * BYTES, slots[i % SLOTS]);
		record(copied[i], stream);
	}
	sync(stream);
}

/* As H05, behind a task of the stream: the pattern has to be there all the same. */
PROGRAM(H19_target_behind_a_task_is_read_too_early, "")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned(BYTES, 1);
	fill(stream, x);
	copy(stream, host, x);
	if (fixed)
		sync(stream);
	const char seen = std::atomic_ref<char>(host[10]).load();
	sync(stream);
	EXPECT(seen == 1);
}

/* A graph reads its input from pinned memory whenever it runs. The input of the next run is prepared too early. */
PROGRAM(H20_source_of_a_graph_is_written_in_flight, "HOST-WRITE-INFLIGHT+")
{
	constexpr char RUNS = 4;
	aclrtStream stream = new_stream();
	char *input = new_pinned(), *x = new_memory();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	copy(stream, x, input);
	OK(aclmdlRICaptureEnd(stream, &model));
	for (char run = 0; run < RUNS; run++) {
		std::memset(input, run, BYTES);
		OK(aclmdlRIExecuteAsync(model, stream));
		if (fixed)
			sync(stream);
	}
	sync(stream);
	EXPECT(has(x, RUNS - 1));
	OK(aclmdlRIDestroy(model));
}

static std::atomic<bool> is_time{false};

static void produce(void *memory)
{
	while (!is_time)
		std::this_thread::yield();
	std::memset(memory, 9, BYTES);
}

/* A host function prepares what another stream copies, which the device may have done long before. */
PROGRAM(H21_host_function_fills_what_another_stream_copies, "HOST-WRITE-INFLIGHT+")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory();
	aclrtEvent made = new_event();
	OK(aclrtLaunchHostFunc(stream, produce, host));
	record(made, stream);
	if (fixed)
		wait(other, made);
	copy(other, x, host);
	is_time = true;
	OK(aclrtSynchronizeDevice());
	EXPECT(!fixed || has(x, 9));
}

/* What is after the copy writes its source: another copy, a host function. */
CORRECT(H22_source_is_written_behind_the_copy)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory(), *y = new_memory();
	aclrtEvent done = new_event();
	fill(stream, y, BYTES, 3);
	copy(stream, x, host);
	copy(stream, host, y);
	sync(stream);
	EXPECT(has(x, 1));
	EXPECT(host[5] == 3);
	copy(stream, x, host);
	record(done, stream);
	wait(other, done);
	OK(aclrtLaunchHostFunc(other, produce, host));
	is_time = true;
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 3));
	EXPECT(host[7] == 9);
}

/* The host learns by another stream's end that the copy has ended. */
CORRECT(H23_source_is_written_after_the_end_of_another_stream)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory();
	aclrtEvent done = new_event();
	for (char turn = 0; turn < 4; turn++) {
		std::memset(host, turn, BYTES);
		copy(stream, x, host);
		record(done, stream);
		wait(other, done);
		sync(other);
	}
	std::memset(host, 9, BYTES);
	sync(stream);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 3));
}

/* The host sees in a word of its own memory that all before it is over. */
CORRECT(H24_source_is_written_after_a_word_says_so)
{
	aclrtStream stream = new_stream();
	char *host = new_pinned(BYTES, 1), *word = new_pinned(64), *x = new_memory(),
	     *y = new_memory();
	fill(stream, y, BYTES, 1);
	copy(stream, x, host);
	copy(stream, word, y, 1);
	while (std::atomic_ref<char>(*word).load() == 0)
		;
	std::memset(host, 2, BYTES);
	sync(stream);
	EXPECT(has(x, 1));
}

/* A graph brings its own source; the host frees it when all has ended. */
CORRECT(H25_graph_writes_its_own_source)
{
	aclrtStream stream = new_stream();
	char *host = new_pinned(), *x = new_memory(), *y = new_memory();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	copy(stream, host, y);
	copy(stream, x, host);
	OK(aclmdlRICaptureEnd(stream, &model));
	for (char run = 1; run < 4; run++) {
		fill(stream, y, BYTES, run);
		OK(aclmdlRIExecuteAsync(model, stream));
	}
	sync(stream);
	EXPECT(has(x, 3));
	OK(aclrtFreeHost(host));
	OK(aclrtSynchronizeDevice());
	OK(aclmdlRIDestroy(model));
}

/* As H19; then only a wait for the whole device covers the copy. */
PROGRAM(H26_result_is_waited_for_with_the_device_alone, "")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES, 1);
	fill(stream, x, PAGES);
	copy(stream, host, x, PAGES);
	if (fixed)
		sync(stream);
	const char seen = std::atomic_ref<char>(host[PAGES / 2]).load();
	OK(aclrtSynchronizeDevice());
	EXPECT(seen == 1);
}

/* Whether the kernel can read the memory, as it does for a system call. */
static bool can_be_written(const char *from, size_t bytes)
{
	const int file = memfd_create("result", 0);
	const bool is_written = write(file, from, bytes) == static_cast<ssize_t>(bytes);
	close(file);
	return is_written;
}

/* The host learns by another stream's end that its result is there, and lets the kernel read it. */
CORRECT(H27_result_is_written_to_a_file_after_the_end_of_another_stream)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES, 1);
	aclrtEvent done = new_event();
	for (char turn = 0; turn < 4; turn++) {
		fill(stream, x, PAGES, turn);
		copy(stream, host, x, PAGES);
		record(done, stream);
		wait(other, done);
		sync(other);
		EXPECT(can_be_written(host, PAGES));
		EXPECT(host[PAGES / 2] == turn);
	}
	OK(aclrtSynchronizeDevice());
}

/* A word of its own memory tells the host. */
CORRECT(H28_result_is_read_after_a_word_says_so)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES), *word = new_pinned(64);
	fill(stream, x, PAGES, 1);
	copy(stream, host, x, PAGES);
	copy(stream, word, x, 1);
	while (std::atomic_ref<char>(*word).load() == 0)
		;
	EXPECT(can_be_written(host, PAGES));
	EXPECT(host[PAGES / 2] == 1);
	sync(stream);
}

/* The next copy takes the result on; what lies around it is the host's. */
CORRECT(H29_result_is_the_source_of_the_next_copy)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *y = new_memory(PAGES), *host = new_pinned(3 * PAGES);
	fill(stream, x, PAGES, 1);
	copy(stream, host + PAGES, x, PAGES);
	host[PAGES - 1] = host[2 * PAGES] = 7;
	copy(stream, y, host + PAGES, PAGES);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(y, 1, PAGES));
	EXPECT(host[PAGES - 1] == 7 && host[2 * PAGES] == 7);
}
