// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs with mistakes: order between commands
 */
#include <atomic>
#include <thread>

#include "acl.h"
#include "unpu/sanitizer.h"

PROGRAM(B01, "RACE-RAW SHOWS")
{
	aclrtStream copies = new_stream(), compute = new_stream();
	char *source = new_pinned(BYTES, 1), *input = new_memory(), *result = new_memory();
	aclrtEvent ready = new_event();
	copy(copies, input, source);
	if (fixed) {
		record(ready, copies);
		wait(compute, ready);
	}
	add(compute, result, input, input);
	OK(aclrtSynchronizeDevice());
	EXPECT(has_sum(result, 1, 1));
}

PROGRAM(B02, "RACE-RAW SHOWS")
{
	aclrtStream compute = new_stream(), copies = new_stream();
	char *result = new_memory(), *saved = new_memory();
	aclrtEvent produced = new_event(), copied = new_event();
	fill(compute, result);
	if (fixed) {
		record(produced, compute);
		wait(copies, produced);
	}
	copy(copies, saved, result);
	record(copied, copies);
	wait(compute, copied);
	fill(compute, result, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(saved, 1));
}

PROGRAM(B03, "RACE-WAW SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *buffer = new_memory();
	fill(a, buffer);
	if (fixed)
		sync(a);
	fill(b, buffer, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(buffer, 2));
}

PROGRAM(B04, "RACE-WAR SHOWS")
{
	aclrtStream compute = new_stream(), copies = new_stream();
	char *next = new_pinned(BYTES, 1), *input = new_memory(), *result = new_memory();
	aclrtEvent used = new_event();
	add(compute, result, input, input);
	if (fixed) {
		record(used, compute);
		wait(copies, used);
	}
	copy(copies, input, next);
	OK(aclrtSynchronizeDevice());
	EXPECT(has_sum(result, 0, 0));
}

PROGRAM(B05, "RACE-RAW RACE-RAW:record-too-early SHOWS")
{
	aclrtStream copies = new_stream(), compute = new_stream();
	char *source = new_pinned(BYTES, 1), *input = new_memory(), *result = new_memory();
	aclrtEvent ready = new_event();
	if (!fixed)
		record(ready, copies);
	copy(copies, input, source);
	if (fixed)
		record(ready, copies);
	wait(compute, ready);
	add(compute, result, input, input);
	OK(aclrtSynchronizeDevice());
	EXPECT(has_sum(result, 1, 1));
}

PROGRAM(B06, "EVT-NOOP-WAIT RACE-RAW RACE-RAW:wait-without-record SHOWS")
{
	aclrtStream copies = new_stream(), compute = new_stream();
	char *input = new_memory(), *result = new_memory();
	aclrtEvent ready = new_event();
	fill(copies, input);
	if (fixed)
		record(ready, copies);
	wait(compute, ready);
	if (!fixed)
		record(ready, copies);
	copy(compute, result, input);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

PROGRAM(B07, "EVT-LOST-RECORD RACE-RAW RACE-RAW:lost-record SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream(), c = new_stream();
	char *x = new_memory(), *y = new_memory(), *result = new_memory();
	aclrtEvent done = new_event(), other = new_event();
	fill(a, x);
	record(done, a);
	fill(b, y);
	record(fixed ? other : done, b);
	wait(c, done);
	if (fixed)
		wait(c, other);
	add(c, result, x, y);
	OK(aclrtSynchronizeDevice());
	EXPECT(has_sum(result, 1, 1));
}

PROGRAM(B08, "UAF EVT-LOST-RECORD")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *buffer = new_memory(), *x = new_memory(), *y = new_memory();
	aclrtEvent used = new_event(), used_by_b = new_event();
	copy(a, x, buffer);
	record(used, a);
	copy(b, y, buffer);
	record(fixed ? used_by_b : used, b);
	OK(aclrtSynchronizeEvent(used));
	OK(aclrtSynchronizeEvent(used_by_b));
	OK(aclrtFree(buffer));
	OK(aclrtSynchronizeDevice());
}

PROGRAM(B09, "RACE-WAW SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream(), c = new_stream();
	char *block = new_memory();
	aclrtEvent list_a = new_event(), list_b = new_event();
	record(list_b, b);
	fill(a, block);
	record(list_a, a);
	/* The block moves to the list of b, which is after list_a but whose event is older. */
	wait(b, list_a);
	if (fixed)
		record(list_b, b);
	wait(c, list_b);
	fill(c, block, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(block, 2));
}

PROGRAM(B10, "RACE-WAR SHOWS")
{
	aclrtStream main = new_stream(), side = new_stream();
	char *block = new_memory(), *result = new_memory();
	aclrtEvent made = new_event(), used = new_event();
	fill(main, block);
	record(made, main);
	wait(side, made);
	copy(side, result, block);
	if (fixed) {
		record(used, side);
		wait(main, used);
	}
	fill(main, block, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

PROGRAM(B28, "RACE-RAW RACE-RAW:default-stream SHOWS")
{
	aclrtStream own = new_stream();
	char *x = new_memory(), *result = new_memory();
	fill(nullptr, x);
	if (fixed)
		sync(nullptr);
	copy(own, result, x);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

/* Rows of a matrix: two copies of columns that overlap by one byte. */
PROGRAM(W01_rows_of_two_copies_overlap, "RACE-WAW SHOWS")
{
	constexpr size_t ROWS = 64, PITCH = 128;
	aclrtStream a = new_stream(), b = new_stream();
	char *matrix = new_memory(ROWS * PITCH), *left = new_pinned(ROWS * 32, 1);
	char *right = new_pinned(ROWS * 32, 2);
	OK(aclrtMemcpy2dAsync(matrix, PITCH, left, 32, 32, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, a));
	OK(aclrtMemcpy2dAsync(matrix + (fixed ? 32 : 31), PITCH, right, 32, 32, ROWS,
			      ACL_MEMCPY_HOST_TO_DEVICE, b));
	OK(aclrtSynchronizeDevice());
	const std::vector<char> seen = contents(matrix, ROWS * PITCH);
	for (size_t row = 0; row < ROWS; row++)
		EXPECT(seen[row * PITCH + 31] == (fixed ? 1 : 2));
}

/* A copy that is read while it is made: some of the bytes are old, some new. */
PROGRAM(W04_half_of_a_copy, "RACE-RAW SHOWS")
{
	constexpr size_t LONG = 1 << 20;
	aclrtStream copies = new_stream(), compute = new_stream();
	char *source = new_pinned(LONG, 1), *input = new_memory(LONG), *result = new_memory(LONG);
	aclrtEvent ready = new_event();
	copy(copies, input, source, LONG);
	if (fixed) {
		record(ready, copies);
		wait(compute, ready);
	}
	copy(compute, result, input, LONG);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1, LONG) || (!fixed && has(result, 0, LONG)));
}

/* A synchronous copy waits for no stream. */
PROGRAM(W02_synchronous_copy_waits_for_no_stream, "HOST-READ-INFLIGHT SHOWS")
{
	aclrtStream stream = new_stream();
	char *x = new_memory();
	std::vector<char> host(BYTES);
	fill(stream, x);
	if (fixed)
		sync(stream);
	OK(aclrtMemcpy(host.data(), BYTES, x, BYTES, ACL_MEMCPY_DEVICE_TO_HOST));
	OK(aclrtSynchronizeDevice());
	EXPECT(are_all(host, 1));
}

/* A notify orders two streams. */
PROGRAM(W03_notify, "RACE-RAW SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *result = new_memory();
	aclrtNotify notify = nullptr;
	OK(aclrtCreateNotify(&notify, 0));
	fill(a, x);
	if (fixed) {
		OK(aclrtRecordNotify(notify, a));
		OK(aclrtWaitAndResetNotify(notify, b, 0));
	}
	copy(b, result, x);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

/* A counter that two streams raise orders both before the stream that waits for 2, and is 0 after each wait. */
PROGRAM(W18_counter_of_two_streams, "RACE-RAW SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream(), c = new_stream();
	char *x = new_memory(), *result = new_memory();
	aclrtCntNotify made = nullptr;
	const aclrtCntNotifyWaitInfo both = {
		ACL_RT_CNT_NOTIFY_WAIT_BIGGER_OR_EQUAL_MODE, 2, 0, 1, {}};
	OK(aclrtCntNotifyCreate(&made, 0));
	for (char turn = 1; turn <= 2; turn++) {
		aclrtCntNotifyRecordInfo one = {ACL_RT_CNT_NOTIFY_RECORD_ADD_MODE, 1};
		aclrtCntNotifyWaitInfo wanted = both;
		fill(a, x, BYTES / 2, turn);
		OK(aclrtCntNotifyRecord(made, a, &one));
		if (fixed)
			fill(b, x + BYTES / 2, BYTES / 2, turn);
		OK(aclrtCntNotifyRecord(made, b, &one));
		if (!fixed)
			fill(b, x + BYTES / 2, BYTES / 2, turn);
		OK(aclrtCntNotifyWaitWithTimeout(made, c, &wanted));
		copy(c, result, x);
		OK(aclrtSynchronizeDevice());
		EXPECT(has(result, turn));
	}
}

/* A notify orders a captured model and a stream. */
PROGRAM(W05_model_that_records_a_notify, "RACE-RAW SHOWS")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *result = new_memory();
	aclrtNotify notify = nullptr;
	aclmdlRI model = nullptr;
	OK(aclrtCreateNotify(&notify, 0));
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	fill(a, x);
	OK(aclrtRecordNotify(notify, a));
	OK(aclmdlRICaptureEnd(a, &model));
	OK(aclmdlRIExecuteAsync(model, a));
	if (fixed)
		OK(aclrtWaitAndResetNotify(notify, b, 0));
	copy(b, result, x);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

/* The stream that is made second is used first, and each id has had another stream before. */
PROGRAM(B48_word_that_the_host_polls, "RACE-RAW")
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *one = new_memory(64), *result = new_memory();
	auto *word = reinterpret_cast<uint64_t *>(new_pinned(64));
	OK(aclrtMemset(one, 64, 1, 64));
	fill(a, x);
	copy(a, word, one, sizeof(*word));
	while (std::atomic_ref<uint64_t>(*word).load() == 0)
		std::this_thread::yield();
	if (fixed)
		unpu_san_acquire(word, sizeof(*word));
	copy(b, result, x);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

PROGRAM(B41_ids_of_the_api, "RACE-RAW")
{
	const aclrtStream first = new_stream();
	fill(first, new_memory());
	OK(aclrtDestroyStream(first));
	const aclrtStream a = new_stream(), b = new_stream();
	const aclrtEvent ready = new_event();
	char *input = new_memory(), *result = new_memory();
	record(ready, b);
	fill(b, input);
	if (fixed)
		record(ready, b);
	wait(a, ready);
	copy(a, result, input);
	OK(aclrtSynchronizeDevice());
	int32_t reader = 0, writer = 0;
	OK(aclrtStreamGetId(a, &reader));
	OK(aclrtStreamGetId(b, &writer));
	std::printf("stream %d, stream %d, event %p\n", reader, writer, ready);
}
