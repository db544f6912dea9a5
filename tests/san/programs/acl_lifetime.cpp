// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs with mistakes: lifetimes, the host, models, events, callbacks
 */
#include <thread>

#include <acl/acl_rt_memory_soma.h>

#include "acl.h"

static aclrtMemPool new_pool()
{
	aclrtMemPoolProps properties = {};
	properties.allocType = ACL_MEM_ALLOCATION_TYPE_PINNED;
	properties.location.type = ACL_MEM_LOCATION_TYPE_DEVICE;
	aclrtMemPool pool = nullptr;
	OK(aclrtMemPoolCreate(&pool, &properties));
	return pool;
}

static char *allocate(aclrtMemPool pool, aclrtStream stream)
{
	void *memory = nullptr;
	OK(aclrtMemPoolMallocAsync(&memory, BYTES, pool, stream));
	return static_cast<char *>(memory);
}

static aclmdlRI capture(aclrtStream stream, void (*tasks)(aclrtStream, char *, char *), char *x,
			char *y)
{
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	tasks(stream, x, y);
	OK(aclmdlRICaptureEnd(stream, &model));
	return model;
}

PROGRAM(B11, "RACE-RAW SHOWS")
{
	aclrtStream main = new_stream(), side = new_stream();
	char *result = new_memory();
	aclrtEvent allocated = new_event(), made = new_event(), used = new_event();
	char *tensor = allocate(new_pool(), main);
	record(allocated, main);
	wait(side, allocated);
	fill(main, tensor);
	if (fixed) {
		record(made, main);
		wait(side, made);
	}
	copy(side, result, tensor);
	/* The stream-ordered free waits for the use. */
	record(used, side);
	wait(main, used);
	OK(aclrtMemPoolFreeAsync(tensor, main));
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

PROGRAM(B12, "UAF-STREAM")
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent made = new_event(), used = new_event();
	char *result = new_memory(), *x = allocate(new_pool(), a);
	fill(a, x);
	record(made, a);
	wait(b, made);
	copy(b, result, x);
	if (fixed) {
		record(used, b);
		wait(a, used);
	}
	OK(aclrtMemPoolFreeAsync(x, a));
	OK(aclrtSynchronizeDevice());
}

PROGRAM(B13, "USE-BEFORE-ALLOC")
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent allocated = new_event();
	char *x = allocate(new_pool(), a);
	if (fixed) {
		record(allocated, a);
		wait(b, allocated);
	}
	fill(b, x);
	OK(aclrtSynchronizeDevice());
}

PROGRAM(B38, "USE-BEFORE-ALLOC")
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent allocated = new_event();
	char *x = allocate(new_pool(), a);
	if (fixed) {
		record(allocated, a);
		wait(b, allocated);
	}
	OK(aclrtMemPoolFreeAsync(x, b));
	OK(aclrtSynchronizeDevice());
}

/* The allocator adds bytes, so the copy and the fill do no harm here. */
PROGRAM(B47_copy_that_is_too_long, "OVERRUN")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *result = new_memory(BYTES - 8);
	copy(stream, result, x, fixed ? BYTES - 8 : BYTES);
	sync(stream);
	if (!fixed)
		OK(aclrtMemset(result, BYTES, 0, BYTES));
}

/* The device can't know where the program's allocations end, so the result is written into the next one. */
PROGRAM(B48_result_that_goes_on_in_other_memory, "OVERRUN-OTHER")
{
	aclrtStream stream = new_stream();
	char *result = new_memory(), *next = new_memory(4 * BYTES), *x = new_memory(4 * BYTES);
	OK(aclrtMemset(next, 4 * BYTES, 0, 4 * BYTES));
	OK(aclrtMemset(x, 4 * BYTES, 0, 4 * BYTES));
	add(stream, result, x, x, fixed ? BYTES : 4 * BYTES);
	sync(stream);
}

PROGRAM(B14, "UAF")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *result = new_memory();
	copy(stream, result, x);
	if (fixed)
		OK(aclrtFreeWithDevSync(x));
	else
		OK(aclrtFree(x));
	sync(stream);
}

PROGRAM(B15, "HOST-WRITE-INFLIGHT SHOWS")
{
	aclrtStream stream = new_stream();
	char *input = new_pinned(), *x = new_memory();
	host_write(input, BYTES, 1);
	copy(stream, x, input);
	if (fixed)
		sync(stream);
	host_write(input, BYTES, 2);
	sync(stream);
	EXPECT(has(x, 1));
}

PROGRAM(B16, "HOST-READ-INFLIGHT SHOWS")
{
	aclrtStream stream = new_stream();
	char *result = new_pinned(), *x = new_memory();
	aclrtEvent copied = new_event();
	fill(stream, x);
	copy(stream, result, x);
	record(copied, stream);
	if (fixed)
		OK(aclrtSynchronizeEvent(copied));
	EXPECT(are_all(host_read(result), 1));
	sync(stream);
}

PROGRAM(B17, "HOST-WRITE-INFLIGHT SHOWS")
{
	aclrtStream stream = new_stream();
	char *cached = new_pinned(BYTES, 1), *x = new_memory();
	aclrtEvent copied = new_event();
	copy(stream, x, cached);
	record(copied, stream);
	std::thread owner([&] {
		OK(aclrtSetDevice(0));
		aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
		while (fixed && status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
			OK(aclrtQueryEventStatus(copied, &status));
		host_write(cached, BYTES, 2);
		OK(aclrtResetDevice(0));
	});
	owner.join();
	sync(stream);
	EXPECT(has(x, 1));
}

PROGRAM(B18, "HOST-WRITE-INFLIGHT SHOWS")
{
	aclrtStream stream = new_stream();
	char *ring[2] = {new_pinned(), new_pinned()}, *x = new_memory(4 * BYTES);
	aclrtEvent copied[2] = {new_event(), new_event()};
	for (int i = 0; i < 4; i++) {
		if (i >= 2 && (fixed || i == 2))
			OK(aclrtSynchronizeEvent(copied[i % 2]));
		host_write(ring[i % 2], BYTES, static_cast<char>(i + 1));
		copy(stream, x + i * BYTES, ring[i % 2]);
		record(copied[i % 2], stream);
	}
	sync(stream);
	for (int i = 0; i < 4; i++)
		EXPECT(has(x + i * BYTES, static_cast<char>(i + 1)));
}

PROGRAM(B19, "UAF")
{
	aclrtStream copies = new_stream(), compute = new_stream();
	char *logits = new_memory(), *host = new_pinned();
	copy(copies, host, logits);
	if (fixed)
		sync(copies);
	OK(aclrtFree(logits));
	logits = new_undefined();
	fill(compute, logits);
	OK(aclrtSynchronizeDevice());
}

PROGRAM(B20, "UAF-GRAPH SHOWS")
{
	aclrtStream stream = new_stream();
	char *host = new_pinned(BYTES, 1), *x = new_memory();
	aclmdlRI model = capture(
		stream, [](aclrtStream on, char *to, char *from) { copy(on, to, from); }, x, host);
	OK(aclmdlRIExecuteAsync(model, stream));
	sync(stream);
	if (!fixed) {
		OK(aclrtFreeHost(host));
		(void)new_pinned(BYTES, 2);
	}
	/* The second execution meets memory of another owner. */
	OK(aclmdlRIExecuteAsync(model, stream));
	sync(stream);
	EXPECT(has(x, 1));
}

PROGRAM(B21, "UAF-GRAPH")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *y = new_memory();
	aclmdlRI model = capture(
		stream, [](aclrtStream on, char *to, char *from) { copy(on, to, from); }, y, x);
	OK(aclmdlRIExecuteAsync(model, stream));
	sync(stream);
	OK(aclrtFree(x));
	/* The driver still has the memory mapped. */
	if (!fixed)
		(void)aclmdlRIExecuteAsync(model, stream);
	(void)aclrtSynchronizeStream(stream);
}

PROGRAM(B23, "GRAPH-UPDATE-RACE SHOWS")
{
	aclrtStream run = new_stream(), updates = new_stream();
	char *x = new_memory(), *y = new_memory(), *result = new_memory();
	aclrtEvent done = new_event(), updated = new_event();
	OK(aclrtMemset(y, BYTES, 1, BYTES));
	aclmdlRI model = nullptr;
	aclrtTaskGrp group = nullptr;
	OK(aclmdlRICaptureBegin(run, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	OK(aclmdlRICaptureTaskGrpBegin(run));
	add(run, result, x, x);
	OK(aclmdlRICaptureTaskGrpEnd(run, &group));
	OK(aclmdlRICaptureEnd(run, &model));
	OK(aclmdlRIExecuteAsync(model, run));
	if (fixed) {
		record(done, run);
		wait(updates, done);
	}
	OK(aclmdlRICaptureTaskUpdateBegin(updates, group));
	add(updates, result, y, y);
	OK(aclmdlRICaptureTaskUpdateEnd(updates));
	if (fixed) {
		record(updated, updates);
		wait(run, updated);
	}
	OK(aclmdlRIExecuteAsync(model, run));
	OK(aclrtSynchronizeDevice());
	EXPECT(has_sum(result, 1, 1));
}

/* The stream that waits after the reset waits for ever. */
/* The wait ends if the device comes to it before the reset. */
PROGRAM(B29, "EVT-RESET-BEFORE-WAIT DEADLOCK?")
{
	aclrtStream a = new_stream(), b = new_stream(), c = new_stream();
	aclrtEvent flag = new_flag(), waited = new_event();
	record(flag, a);
	wait(b, flag);
	if (fixed) {
		wait(c, flag);
		record(waited, c);
		wait(b, waited);
	}
	OK(aclrtResetEvent(flag, b));
	if (!fixed)
		wait(c, flag);
	else
		OK(aclrtSynchronizeDevice());
}

PROGRAM(B30, "UNINIT")
{
	aclrtStream stream = new_stream();
	char *x = new_undefined(), *y = new_undefined(), *z = new_memory(), *result = new_memory();
	if (fixed)
		copy(stream, x, z);
	copy(stream, y, x);
	add(stream, result, y, y);
	sync(stream);
}

PROGRAM(B31, "CALLBACK-API DEADLOCK")
{
	static aclrtStream stream;
	stream = new_stream();
	auto waits = [](void *) {
		/* It would wait for itself. */
		(void)aclrtSynchronizeStreamWithTimeout(stream, 50);
	};
	auto returns = [](void *) {};
	OK(aclrtLaunchHostFunc(stream, fixed ? returns : static_cast<aclrtHostFunc>(waits),
			       nullptr));
	sync(stream);
}

/* Two streams wait for each other's flags. The program sees that, and drops both. */
PROGRAM(B42_circle_that_is_left_by_force, "DEADLOCK")
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent first = new_flag(), second = new_flag();
	if (!fixed)
		wait(a, second);
	record(first, a);
	wait(b, first);
	record(second, b);
	const aclError ended = aclrtSynchronizeStreamWithTimeout(b, 50);
	EXPECT((ended == ACL_SUCCESS) == fixed);
	OK(aclrtResetDeviceForce(0));
	OK(aclrtSetDevice(0));
}
