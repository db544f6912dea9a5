// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs that use memory of copies in flight
 *
 * A plain run of unpu-san has to find each, and to name the line of the load or store (check_inflight.py).
 */
#include <atomic>
#include <csetjmp>
#include <csignal>
#include <thread>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl.h"

static constexpr size_t PAGES = 64 << 10;

static char load(const char &at)
{
	return std::atomic_ref<const char>(at).load();
}

static void store(char &at, char value)
{
	std::atomic_ref<char>(at).store(value);
}

PROGRAM(I01_result_is_read_without_a_wait, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES);
	copy(stream, host, x, PAGES);
	if (fixed)
		sync(stream);
	(void)load(host[100]);
	sync(stream);
}

PROGRAM(I02_result_is_read_after_a_wait_for_another_stream, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	fill(other, y);
	sync(fixed ? stream : other);
	(void)load(host[100]);
	sync(stream);
}

PROGRAM(I03_the_event_is_behind_the_first_copy_alone, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *first = new_pinned(), *second = new_pinned();
	copy(stream, first, x);
	if (!fixed)
		record(copied, stream);
	copy(stream, second, x);
	if (fixed)
		record(copied, stream);
	OK(aclrtSynchronizeEvent(copied));
	(void)load(first[0]);
	(void)load(second[0]);
	sync(stream);
}

PROGRAM(I04_source_is_written_without_a_wait, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES);
	copy(stream, x, host, PAGES);
	if (fixed)
		sync(stream);
	store(host[PAGES - 1], 2);
	sync(stream);
}

PROGRAM(I05_source_is_written_after_a_wait_for_another_stream, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	copy(stream, x, host);
	fill(other, y);
	sync(fixed ? stream : other);
	store(host[0], 2);
	sync(stream);
}

/* A ring of three slots; the host waits for a step too few before it fills a slot again. */
PROGRAM(I06_ring_waits_for_a_step_too_few, "HOST-WRITE-INFLIGHT")
{
	constexpr int SLOTS = 3, STEPS = 9;
	aclrtStream stream = new_stream();
	char *x = new_memory(STEPS * BYTES);
	char *slots[SLOTS] = {new_pinned(), new_pinned(), new_pinned()};
	aclrtEvent copied[STEPS];
	for (aclrtEvent &event : copied)
		event = new_event();
	for (int i = 0; i < STEPS; i++) {
		const int before = fixed ? i - SLOTS : i - SLOTS - 1;
		if (before >= 0)
			OK(aclrtSynchronizeEvent(copied[before]));
		store(slots[i % SLOTS][0], static_cast<char>(i));
		copy(stream, x + i * BYTES, slots[i % SLOTS]);
		record(copied[i], stream);
	}
	sync(stream);
}

PROGRAM(I07_a_part_in_flight_is_written, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES);
	copy(stream, x, host + 2 * BYTES, 3 * BYTES);
	store(host[fixed ? 5 * BYTES : 5 * BYTES - 1], 2);
	store(host[2 * BYTES - 1], 2);
	sync(stream);
}

PROGRAM(I08_a_short_result_is_read_too_early, "HOST-READ-INFLIGHT")
{
	constexpr size_t SHORT = 100;
	aclrtStream stream = new_stream();
	char *x = new_memory(), *before = new_pinned(SHORT), *host = new_pinned(SHORT),
	     *behind = new_pinned(SHORT);
	copy(stream, host, x, SHORT);
	store(before[SHORT - 1], 1);
	store(behind[0], 1);
	if (fixed)
		sync(stream);
	(void)load(host[SHORT - 1]);
	sync(stream);
}

PROGRAM(I09_a_short_input_is_written_too_early, "HOST-WRITE-INFLIGHT")
{
	constexpr size_t SHORT = 72;
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned(SHORT);
	copy(stream, x, host, SHORT);
	if (fixed)
		sync(stream);
	store(host[SHORT - 1], 1);
	sync(stream);
}

/* The load is in the C library; the line is that of its caller. */
PROGRAM(I10_result_is_copied_by_memcpy, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES);
	std::vector<char> result(PAGES);
	copy(stream, host, x, PAGES);
	if (fixed)
		sync(stream);
	std::memcpy(result.data(), host, PAGES);
	sync(stream);
}

PROGRAM(I11_another_thread_reads_too_early, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	if (fixed)
		sync(stream);
	std::thread([&] { (void)load(host[0]); }).join();
	sync(stream);
}

static void fill_it(void *memory)
{
	store(*static_cast<char *>(memory), 3);
}

PROGRAM(I12_host_function_fills_what_another_stream_copies, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, x, host);
	record(copied, stream);
	if (fixed)
		wait(other, copied);
	OK(aclrtLaunchHostFunc(other, fill_it, host));
	sync(other);
	sync(stream);
}

PROGRAM(I13_the_event_is_recorded_before_the_copy, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *host = new_pinned();
	if (!fixed)
		record(copied, stream);
	copy(stream, host, x);
	if (fixed)
		record(copied, stream);
	OK(aclrtSynchronizeEvent(copied));
	(void)load(host[0]);
	sync(stream);
}

PROGRAM(I14_the_event_is_recorded_on_another_stream, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, x, host);
	record(copied, fixed ? stream : other);
	OK(aclrtSynchronizeEvent(copied));
	store(host[0], 2);
	sync(stream);
}

/* A synchronous copy waits for no stream. */
PROGRAM(I15_a_copy_of_other_memory_is_no_wait, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	host_write(y);
	if (fixed)
		sync(stream);
	(void)load(host[0]);
	sync(stream);
}

PROGRAM(I16_a_free_of_device_memory_is_no_wait, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	OK(aclrtFree(y));
	if (fixed)
		sync(stream);
	(void)load(host[0]);
	sync(stream);
}

PROGRAM(I17_target_is_cleared_in_flight, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES);
	copy(stream, host, x, PAGES);
	if (fixed)
		sync(stream);
	std::memset(host, 0, PAGES);
	sync(stream);
}

static sigjmp_buf back;

static void leave(int)
{
	siglongjmp(back, 1);
}

/* The program's own handler still gets its own faults. */
PROGRAM(I18_the_program_has_a_handler, "HOST-READ-INFLIGHT")
{
	struct sigaction action {};
	action.sa_handler = leave;
	OK(sigaction(SIGSEGV, &action, nullptr));
	void *const none = mmap(nullptr, BYTES, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();
	for (int turn = 0; turn < 2; turn++) {
		copy(stream, host, x);
		bool has_come_back = false;
		if (sigsetjmp(back, 1) == 0)
			(void)load(*static_cast<char *>(none));
		else
			has_come_back = true;
		EXPECT(has_come_back);
		if (fixed)
			sync(stream);
		(void)load(host[0]);
		sync(stream);
	}
}

PROGRAM(I19_one_of_two_streams_is_waited_for, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *first = new_pinned(), *second = new_pinned();
	copy(stream, first, x);
	copy(other, second, x);
	sync(stream);
	if (fixed)
		sync(other);
	EXPECT(load(first[0]) == load(second[0]));
	sync(other);
}

/* No comparison of contents can find that. */
PROGRAM(I20_source_is_written_with_what_is_there, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned(BYTES, 5);
	copy(stream, x, host);
	if (fixed)
		sync(stream);
	store(host[7], 5);
	sync(stream);
}

PROGRAM(I21_an_operator_of_another_stream_is_no_wait, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *y = new_memory(), *z = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	add(other, z, y, y);
	sync(other);
	if (fixed)
		sync(stream);
	(void)load(host[0]);
	sync(stream);
}

static void nothing(void *) {}

PROGRAM(I22_a_host_function_of_another_stream_is_no_wait, "HOST-WRITE-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, x, host);
	OK(aclrtLaunchHostFunc(other, nothing, nullptr));
	sync(other);
	if (fixed)
		sync(stream);
	store(host[0], 1);
	sync(stream);
}

/* A pool of staging memory gives a buffer out again that a copy still reads. */
PROGRAM(I23_pool_of_staging_memory_gives_out_too_early, "HOST-WRITE-INFLIGHT")
{
	aclrtStream streams[] = {new_stream(), new_stream()};
	char *x = new_memory(2 * BYTES);
	std::vector<char *> pool{new_pinned()};
	for (int i = 0; i < 2; i++) {
		char *const buffer = pool.back();
		pool.pop_back();
		store(buffer[0], static_cast<char>(i));
		copy(streams[i], x + i * BYTES, buffer);
		if (fixed)
			sync(streams[i]);
		pool.push_back(buffer);
	}
	sync(streams[0]);
	sync(streams[1]);
}

/* The wait is for what another stream waited for before the copy. */
PROGRAM(I24_the_other_stream_waits_for_an_older_record, "HOST-READ-INFLIGHT")
{
	aclrtStream stream = new_stream(), other = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *y = new_memory(), *host = new_pinned();
	fill(stream, x);
	if (!fixed)
		record(copied, stream);
	copy(stream, host, x);
	if (fixed)
		record(copied, stream);
	wait(other, copied);
	fill(other, y);
	sync(other);
	(void)load(host[0]);
	sync(stream);
}

/* The host may read a source in flight. */
CORRECT(J01_source_is_read_in_flight)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(PAGES), *host = new_pinned(PAGES, 3);
	copy(stream, x, host, PAGES);
	EXPECT(load(host[9]) == 3);
	copy(stream, x, host, PAGES);
	EXPECT(load(host[9]) == 3);
	sync(stream);
}

/* The end of the copy comes to the host by two events and a third stream; the result then goes to a system call. */
CORRECT(J02_result_is_written_to_a_file)
{
	aclrtStream streams[] = {new_stream(), new_stream(), new_stream()};
	char *x = new_memory(), *host = new_pinned();
	int ends[2];
	OK(pipe(ends));
	for (int turn = 0; turn < 3; turn++) {
		copy(streams[0], host, x);
		for (int i = 0; i < 2; i++) {
			aclrtEvent event = new_event();
			record(event, streams[i]);
			wait(streams[i + 1], event);
		}
		aclrtEvent last = new_event();
		record(last, streams[2]);
		OK(aclrtSynchronizeEvent(last));
		EXPECT(write(ends[1], host, BYTES) == BYTES);
		EXPECT(read(ends[0], host, BYTES) == BYTES);
	}
}

CORRECT(J03_queries_say_that_it_is_over)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();
	aclrtStreamStatus status = ACL_STREAM_STATUS_NOT_READY;
	copy(stream, host, x);
	while (status != ACL_STREAM_STATUS_COMPLETE)
		OK(aclrtStreamQuery(stream, &status));
	store(host[0], 1);
}

CORRECT(J04_host_function_behind_the_copy)
{
	aclrtStream stream = new_stream(), other = new_stream();
	aclrtEvent copied = new_event();
	char *x = new_memory(), *host = new_pinned();
	for (int turn = 0; turn < 3; turn++) {
		copy(stream, host, x);
		record(copied, stream);
		wait(other, copied);
		OK(aclrtLaunchHostFunc(other, fill_it, host));
		sync(other);
		EXPECT(load(host[0]) == 3);
	}
}

/* A child process has memory of its own, or shares it when the parent has waited. */
CORRECT(J05_a_child_process)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned(), *y = new_memory(), *later = new_pinned();
	copy(stream, host, x);
	sync(stream);
	copy(stream, later, y);
	const pid_t child = fork();
	if (child == 0) {
		store(host[0], 1);
		_exit(0);
	}
	int status = 1;
	OK(waitpid(child, &status, 0) != child);
	EXPECT(status == 0);
	sync(stream);
	EXPECT(load(later[0]) == 0);
}

/* The whole device is waited for; another thread reads. */
CORRECT(J06_device_is_waited_for)
{
	aclrtStream stream = new_stream();
	char *x = new_memory(), *host = new_pinned();
	copy(stream, host, x);
	OK(aclrtSynchronizeDevice());
	std::thread([&] { store(host[0], load(host[1])); }).join();
	copy(stream, x, host);
	OK(aclrtDestroyStream(stream));
}

int main(int argc, char **argv)
{
	return programs::main_of(
		argc, argv,
		[] {
			OK(aclInit(nullptr));
			OK(aclrtSetDevice(0));
		},
		[] {
			OK(aclrtResetDevice(0));
			OK(aclFinalize());
		});
}
