// SPDX-License-Identifier: MIT
/*
 * DOC: Shapes that open and close devices
 */
#include "soak_shape.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace soak {

/* One thread for one device: opened, used and closed, beside threads that do so with others. */
void cycle_device(Seat &seat)
{
	for (int i = 0; i < 10 && !seat.stops(); i++) {
		const DeviceUse device(seat);
		if (!device)
			return;
		const auto value = static_cast<unsigned char>(seat.draw(0, 255));
		const Memory memory(seat, seat.draw(1, 256) << 10);
		const Stream stream(seat);
		if (!memory || !stream)
			return;
		SOAK_TRY(aclrtMemsetAsync(memory.get(), memory.bytes(), value, memory.bytes(),
					  stream));
		SOAK_TRY(aclrtSynchronizeStream(stream));
		if (!holds_only(seat, memory, value))
			return;
	}
}

/* Memory of each kind comes and goes, while other threads open and close devices. */
void allocate(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	for (int i = 0; i < 200 && !seat.stops(); i++) {
		const Memory memory(seat, seat.draw(1, 1 << 20));
		void *pinned = nullptr;
		void *reserved = nullptr;
		size_t left = 0;
		size_t all = 0;
		if (!memory)
			return;
		SOAK_TRY(aclrtMallocHost(&pinned, seat.draw(1, 8192)));
		SOAK_TRY(aclrtFreeHost(pinned));
		SOAK_TRY(aclrtGetMemInfo(ACL_DDR_MEM, &left, &all));
		if (seat.draw(0, 9) == 0) {
			SOAK_TRY(aclrtReserveMemAddress(&reserved, 2 << 20, 0, nullptr, 0));
			SOAK_TRY(aclrtReleaseMemAddress(reserved));
		}
	}
}

/* Pinned memory outlives the last reset; two threads free the last blocks at once. */
void free_after_reset(Seat &seat)
{
	for (int i = 0; i < 20 && !seat.stops(); i++) {
		void *blocks[2] = {};
		aclError codes[2] = {};
		SOAK_TRY(aclrtSetDevice(seat.device()));
		for (void *&block : blocks)
			SOAK_TRY(aclrtMallocHost(&block, 4096));
		SOAK_TRY(aclrtResetDevice(seat.device()));
		std::thread other([&] { codes[1] = aclrtFreeHost(blocks[1]); });
		codes[0] = aclrtFreeHost(blocks[0]);
		other.join();
		SOAK_TRY(codes[0]);
		SOAK_TRY(codes[1]);
	}
}

namespace {

std::atomic<uint64_t> fault_calls{0};

/* The function for failed tasks has no context: it asks for what takes the process's locks. */
void on_fault(aclrtExceptionInfo *)
{
	uint32_t devices = 0;
	aclrtStream stream = nullptr;

	fault_calls++;
	(void)aclrtGetDeviceCount(&devices);
	if (aclrtSetDevice(0) != ACL_SUCCESS)
		return;
	if (aclrtCreateStream(&stream) == ACL_SUCCESS)
		(void)aclrtDestroyStream(stream);
	(void)aclrtResetDevice(0);
}

} // namespace

/* A task fails, a function hears of it and calls the library, and the device goes meanwhile. */
void handle_faults(Seat &seat)
{
	aclrtContext context = nullptr;
	const DeviceUse device(seat);
	if (!device)
		return;
	SOAK_TRY(aclrtSetExceptionInfoCallback(on_fault));
	SOAK_TRY(aclrtCreateContext(&context, seat.device()));
	{
		const Stream stream(seat);
		const Event flag(seat, Event::Kind::FLAG);
		if (!stream || !flag)
			return;
		SOAK_TRY(aclrtStreamWaitEventWithTimeout(stream, flag, 1));
		const aclError code = aclrtSynchronizeStream(stream);
		seat.expect(code != ACL_SUCCESS, "a wait for a flag that is not set succeeded");
	}
	SOAK_TRY(aclrtDestroyContext(context));
	SOAK_TRY(aclrtSetDevice(seat.device()));
	SOAK_TRY(aclrtResetDevice(seat.device()));
}

namespace {

void *leave_thread(void *)
{
	uint32_t devices;

	(void)aclrtGetDeviceCount(&devices);
	pthread_exit(nullptr);
}

/* The child has one thread, a copy of a worker. That thread ends, and another one ends the child. */
void live_as_child()
{
	uint32_t devices;
	pthread_t thread;

	(void)aclrtGetDeviceCount(&devices);
	if (pthread_create(&thread, nullptr, leave_thread, nullptr) != 0)
		_exit(1);
	pthread_join(thread, nullptr);
	_exit(0);
}

/* Return: whether the child ended within half a minute; it is killed when not. */
bool await_child(pid_t child, int *status)
{
	const auto end = Clock::now() + std::chrono::seconds(30);

	for (;;) {
		if (waitpid(child, status, WNOHANG) == child)
			return true;
		if (Clock::now() > end)
			break;
		usleep(1000);
	}
	kill(child, SIGKILL);
	waitpid(child, status, 0);
	return false;
}

} // namespace

/* A worker forks. The child may not use the library, and ends without a hang. Not under sanitizers: ASan's
 * allocator keeps the locks that other threads held, and TSan ends a child that starts a thread. Not under an emulator
 * of one program: a child hangs at a lock of the emulator. */
void fork_children(Seat &seat)
{
	const DeviceUse device(seat);
	if (!device)
		return;
	for (int i = 0; i < 5 && !seat.stops(); i++) {
		const Event event(seat);
		const Memory memory(seat, 4096);
		if (!event || !memory)
			return;
		const pid_t child = fork();
		int status = 0;
		if (child == 0)
			live_as_child();
		if (child < 0)
			return;
		if (!await_child(child, &status))
			seat.fault("a forked child hangs");
		else if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			seat.fault("a forked child ended with status " + std::to_string(status));
		usleep(1000);
	}
}

} // namespace soak
