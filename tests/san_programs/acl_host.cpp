// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs that write pinned memory by themselves
 *
 * Their loads and stores are in no trace. The mistakes among them are found by the contents of the memory.
 */
#include <atomic>

#include "acl.h"

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
