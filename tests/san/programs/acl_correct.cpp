// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs that look wrong and are right, and the main() of all AscendCL programs
 */
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include <sys/resource.h>

#include "acl.h"

CORRECT(S01)
{
	char *x = new_memory();
	aclrtStream last = new_stream();
	fill(last, x);
	for (int i = 0; i < 10; i++) {
		aclrtEvent link = new_event();
		record(link, last);
		last = new_stream();
		wait(last, link);
	}
	fill(last, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 2));
}

CORRECT(S02)
{
	aclrtStream a = new_stream(), b = new_stream();
	aclrtEvent made = new_event();
	char *result = new_memory();
	for (int i = 0; i < 4; i++) {
		char *x = new_memory();
		fill(a, x);
		record(made, a);
		wait(b, made);
		copy(b, result, x);
	}
	OK(aclrtSynchronizeDevice());
	EXPECT(has(result, 1));
}

CORRECT(S03)
{
	aclrtStream writer = new_stream();
	char *x = new_memory();
	aclrtEvent made = new_event();
	std::vector<char *> results;
	fill(writer, x);
	record(made, writer);
	for (int i = 0; i < 8; i++) {
		aclrtStream reader = new_stream();
		aclrtEvent done = new_event();
		wait(reader, made);
		results.push_back(new_memory());
		copy(reader, results.back(), x);
		record(done, reader);
		wait(writer, done);
	}
	fill(writer, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	for (const char *result : results)
		EXPECT(has(result, 1));
}

/* Order through a third stream, then through a thread that waits and another that goes on. */
CORRECT(S04)
{
	aclrtStream a = new_stream(), b = new_stream(), c = new_stream();
	char *x = new_memory();
	aclrtEvent first = new_event(), second = new_event();
	fill(a, x);
	record(first, a);
	wait(b, first);
	record(second, b);
	std::thread waits([&] {
		OK(aclrtSetDevice(0));
		OK(aclrtSynchronizeEvent(second));
		OK(aclrtResetDevice(0));
	});
	waits.join();
	fill(c, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 2));
}

CORRECT(S05)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory();
	aclrtEvent done = new_event();
	fill(a, x);
	record(done, a);
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
	while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
		OK(aclrtQueryEventStatus(done, &status));
	fill(b, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 2));
}

CORRECT(S06)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory();
	fill(a, x);
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	while (status != ACL_STREAM_STATUS_COMPLETE)
		OK(aclrtStreamQuery(a, &status));
	fill(b, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 2));
}

CORRECT(S08)
{
	constexpr size_t ROWS = 64, PITCH = 128;
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *matrix = new_memory(ROWS * PITCH),
	     *host = new_pinned(ROWS * 64, 1);
	fill(a, x, BYTES / 2);
	fill(b, x + BYTES / 2, BYTES / 2);
	OK(aclrtMemcpy2dAsync(matrix, PITCH, host, 64, 64, ROWS, ACL_MEMCPY_HOST_TO_DEVICE, a));
	OK(aclrtMemcpy2dAsync(matrix + 64, PITCH, host, 64, 64, ROWS, ACL_MEMCPY_HOST_TO_DEVICE,
			      b));
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 1));
	EXPECT(has(matrix, 1, ROWS * PITCH));
}

CORRECT(S09)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory();
	OK(aclrtMemcpyAsync(x, 0, x, 0, ACL_MEMCPY_DEVICE_TO_DEVICE, a));
	OK(aclrtMemsetAsync(x, 0, 0, 0, b));
	OK(aclrtSynchronizeDevice());
}

/* Descriptors of memory in flight and the first phase of an operator touch no memory. */
CORRECT(S10)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *y = new_memory();
	float one = 1;
	int64_t *dims = nullptr;
	uint64_t count = 0, workspace = 0;
	aclOpExecutor *executor = nullptr;
	fill(stream, x);
	const Tensor whole(x), front(x, BYTES / 2), back(x + BYTES / 2, BYTES / 2);
	const Tensor result(y, BYTES / 2);
	aclScalar *alpha = aclCreateScalar(&one, ACL_FLOAT);
	OK(aclGetViewShape(whole, &dims, &count));
	OK(aclnnAddGetWorkspaceSize(front, back, alpha, result, &workspace, &executor));
	OK(aclDestroyAclOpExecutor(executor));
	aclDestroyScalar(alpha);
	delete[] dims;
	sync(stream);
}

CORRECT(S11)
{
	aclrtStream main = new_stream(), side = new_stream();
	char *block = new_memory(), *result = new_memory();
	aclrtEvent made = new_event(), used = new_event();
	fill(main, block);
	record(made, main);
	wait(side, made);
	copy(side, result, block);
	record(used, side);
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
	while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
		OK(aclrtQueryEventStatus(used, &status));
	fill(main, block, BYTES, 2);
	sync(main);
	OK(aclrtFree(block));
	EXPECT(has(result, 1));
}

/* A collective keeps a tensor in a list of its own until the work that uses it was waited for. */
CORRECT(S12)
{
	struct Work {
		aclrtEvent done;
		char *tensor;
	};
	aclrtStream main = new_stream(), side = new_stream();
	aclrtEvent made = new_event();
	char *result = new_memory();
	std::vector<Work> kept;
	std::vector<char *> unused;
	for (int i = 0; i < 8; i++) {
		if (unused.empty())
			unused.push_back(new_memory());
		char *tensor = unused.back();
		unused.pop_back();
		fill(main, tensor);
		record(made, main);
		wait(side, made);
		copy(side, result, tensor);
		kept.push_back({new_event(), tensor});
		record(kept.back().done, side);
		if (kept.size() < 3)
			continue;
		wait(main, kept.front().done);
		unused.push_back(kept.front().tensor);
		kept.erase(kept.begin());
	}
	OK(aclrtSynchronizeDevice());
}

CORRECT(S13)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *sum = new_memory(), *x = new_memory();
	for (aclrtStream stream : {a, b})
		OK(aclrtReduceAsync(sum, x, BYTES, ACL_RT_MEMCPY_SDMA_AUTOMATIC_SUM, ACL_FLOAT,
				    stream, nullptr));
	OK(aclrtSynchronizeDevice());
	copy(a, x, sum);
	sync(a);
}

CORRECT(S14)
{
	aclrtStream stream = new_stream();
	char *ring[2] = {new_pinned(), new_pinned()}, *x = new_memory(10 * BYTES);
	aclrtEvent copied[2] = {new_event(), new_event()};
	for (int i = 0; i < 10; i++) {
		if (i >= 2)
			OK(aclrtSynchronizeEvent(copied[i % 2]));
		host_write(ring[i % 2], BYTES, static_cast<char>(i));
		copy(stream, x + i * BYTES, ring[i % 2]);
		record(copied[i % 2], stream);
	}
	sync(stream);
	for (int i = 0; i < 10; i++)
		EXPECT(has(x + i * BYTES, static_cast<char>(i)));
}

CORRECT(S15)
{
	aclrtStream stream = new_stream();
	std::vector<char> pageable(BYTES);
	char *x = new_memory();
	for (int i = 0; i < 3; i++) {
		pageable[0] = static_cast<char>(i);
		copy(stream, x, pageable.data());
	}
	host_write(pageable.data(), BYTES, 9);
	sync(stream);
	EXPECT(contents(x)[0] == 2);
}

CORRECT(S16)
{
	aclrtStream stream = new_stream();
	char *page = new_pinned(BYTES, 1), *x = new_memory();
	copy(stream, x, page + 64, 64);
	host_write(page, 64);
	host_write(page + 128, 64);
	sync(stream);
	EXPECT(has(x, 1, 64));
}

static char *of_host;

CORRECT(S17)
{
	aclrtStream stream = new_stream();
	char *x = new_memory();
	of_host = new_pinned();
	copy(stream, x, of_host);
	OK(aclrtLaunchHostFunc(
		stream, [](void *) { of_host[0] = 1; }, nullptr));
	copy(stream, x, of_host);
	sync(stream);
	host_write(of_host);
	EXPECT(contents(x)[0] == 1);
}

CORRECT(S18)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *host = new_pinned(), *x = new_memory();
	void *word = new_memory(64);
	OK(aclrtValueWait(word, 1, 0, stream));
	copy(stream, x, host);
	host_write(host, BYTES, 1);
	fill(other, x);
	OK(aclrtValueWrite(word, 1, 0, other));
	OK(aclrtSynchronizeDevice());
}

/* A word of pinned memory tells that the result is there; the program polls it, and then reads by itself. */
CORRECT(S19)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *set = new_memory(64), *result = new_pinned();
	auto *word = reinterpret_cast<uint64_t *>(new_pinned(64));
	fill(stream, set, 64);
	for (int i = 0; i < 3; i++) {
		std::atomic_ref<uint64_t>(*word).store(0);
		OK(aclrtMemsetAsync(x, BYTES, i, BYTES, stream));
		copy(stream, result, x);
		copy(stream, word, set, sizeof(*word));
		while (std::atomic_ref<uint64_t>(*word).load() == 0)
			;
		programs::check(result[BYTES - 1] == i, "the result", i, __FILE__, __LINE__);
	}
	sync(stream);
	OK(aclrtFreeHost(word));
	OK(aclrtFreeHost(result));
}

CORRECT(S20)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *y = new_memory();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	copy(a, y, x);
	copy(a, x, y);
	OK(aclmdlRICaptureEnd(a, &model));
	for (int i = 0; i < 100; i++)
		OK(aclmdlRIExecuteAsync(model, i % 3 == 0 ? a : b));
	OK(aclrtSynchronizeDevice());
	OK(aclmdlRIDestroy(model));
}

CORRECT(S21)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *y = new_memory(), *z = new_memory();
	aclrtEvent fork = new_event(), join = new_event();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	fill(a, x);
	record(fork, a);
	wait(b, fork);
	copy(a, z, x);
	copy(b, y, x);
	record(join, b);
	wait(a, join);
	add(a, x, y, z);
	OK(aclmdlRICaptureEnd(a, &model));
	fill(b, y);
	/* After the work of the streams that were captured, and before their next. */
	OK(aclmdlRIExecuteAsync(model, a));
	fill(b, y);
	record(fork, b);
	wait(a, fork);
	copy(a, z, y);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(z, 1));
}

CORRECT(S22)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory();
	fill(a, x);
	OK(aclrtFreeWithDevSync(x));
	x = new_undefined();
	fill(b, x, BYTES, 2);
	OK(aclrtSynchronizeDevice());
	EXPECT(has(x, 2));
}

CORRECT(S23)
{
	aclrtStream stream = new_stream();
	char *x = new_undefined(), *y = new_undefined(), *result = new_memory();
	fill(stream, x, BYTES / 2);
	copy(stream, y, x);
	add(stream, result, y, y, BYTES / 2);
	sync(stream);
}

/* Two threads share a stream, under a lock of their own. */
CORRECT(W22_host_function_that_tidies_up)
{
	static aclrtEvent used;
	used = new_event();
	aclrtStream stream = new_stream();
	char *x = new_memory();
	fill(stream, x);
	record(used, stream);
	auto tidies = [](void *) {
		aclrtEventRecordedStatus status;
		OK(aclrtQueryEventStatus(used, &status));
		OK(aclrtDestroyEvent(used));
	};
	OK(aclrtLaunchHostFunc(stream, tidies, nullptr));
	sync(stream);
	EXPECT(has(x, 1));
}

CORRECT(W10_threads)
{
	aclrtStream stream = new_stream();
	char *x = new_memory();
	std::mutex mutex;
	auto work = [&] {
		OK(aclrtSetDevice(0));
		for (int i = 0; i < 50; i++) {
			const std::lock_guard lock(mutex);
			fill(stream, x);
		}
		OK(aclrtResetDevice(0));
	};
	std::thread one(work), other(work);
	one.join();
	other.join();
	sync(stream);
}

/* One thread records, another polls until it sees the record: the order is in the event alone. */
CORRECT(W11_record_seen_by_a_poll)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory();
	aclrtEvent done = nullptr;
	OK(aclrtCreateEvent(&done));
	std::thread producer([&] {
		OK(aclrtSetDevice(0));
		aclrtStream own = nullptr;
		OK(aclrtCreateStream(&own));
		fill(own, x);
		record(done, own);
		OK(aclrtDestroyStream(own));
		OK(aclrtResetDevice(0));
	});
	aclrtEventRecordedStatus status = ACL_EVENT_RECORDED_STATUS_NOT_READY;
	while (status != ACL_EVENT_RECORDED_STATUS_COMPLETE)
		OK(aclrtQueryEventStatus(done, &status));
	fill(b, x);
	producer.join();
	OK(aclrtSynchronizeDevice());
	(void)a;
}

[[gnu::noinline]] static void fill_here(aclrtStream stream, char *x)
{
	fill(stream, x);
}

[[gnu::noinline]] static void fill_there(aclrtStream stream, char *x)
{
	fill(stream, x);
}

/* Two stacks that differ in their third frame only. */
CORRECT(W12_two_places)
{
	aclrtStream stream = new_stream();
	char *x = new_memory();
	for (int i = 0; i < 50; i++) {
		fill_here(stream, x);
		fill_there(stream, x);
	}
	sync(stream);
}

/* A captured model and a stream that give each other turns, by notifies. */
CORRECT(W17_turns_of_a_model)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *result = new_pinned();
	aclrtNotify go = nullptr, gone = nullptr;
	aclmdlRI model = nullptr;
	OK(aclrtCreateNotify(&go, 0));
	OK(aclrtCreateNotify(&gone, 0));
	OK(aclmdlRICaptureBegin(a, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	OK(aclrtWaitAndResetNotify(go, a, 0));
	copy(a, result, x);
	OK(aclrtRecordNotify(gone, a));
	OK(aclmdlRICaptureEnd(a, &model));
	for (char turn = 1; turn <= 3; turn++) {
		OK(aclmdlRIExecuteAsync(model, a));
		fill(b, x, BYTES, turn);
		OK(aclrtRecordNotify(go, b));
		OK(aclrtWaitAndResetNotify(gone, b, 0));
		sync(b);
		EXPECT(are_all(host_read(result), turn));
	}
	sync(a);
	OK(aclmdlRIDestroy(model));
}

CORRECT(W23_model_that_is_waited_for)
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *result = new_memory();
	aclmdlRI model = nullptr;
	OK(aclmdlRICaptureBegin(stream, ACL_MODEL_RI_CAPTURE_MODE_GLOBAL));
	fill(stream, x);
	OK(aclmdlRICaptureEnd(stream, &model));
	OK(aclmdlRIExecute(model, -1));
	copy(other, result, x);
	sync(other);
	EXPECT(has(result, 1));
	OK(aclmdlRIDestroy(model));
}

/* The trace can't grow when it has reached the limit. */
CORRECT(W21_a_limit_of_the_trace)
{
	aclrtStream stream = new_stream();
	char *x = new_memory();
	rlimit limit{};
	OK(getrlimit(RLIMIT_FSIZE, &limit));
	const rlim_t before = std::exchange(limit.rlim_cur, 300 << 10);
	OK(setrlimit(RLIMIT_FSIZE, &limit));
	for (int i = 0; i < 3000; i++)
		fill(stream, x);
	sync(stream);
	limit.rlim_cur = before;
	OK(setrlimit(RLIMIT_FSIZE, &limit));
}

static void prepare()
{
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(0));
}

/* Some programs leave a stream that waits for ever. */
static void finish()
{
	OK(aclrtResetDeviceForce(0));
	OK(aclFinalize());
}

int main(int argc, char **argv)
{
	return programs::main_of(argc, argv, prepare, finish);
}
