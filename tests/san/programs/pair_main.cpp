// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL programs of two processes
 *
 * The program starts a firmware that both of its processes reach, and forks before either of them has called the
 * library. Each process writes a trace of its own.
 */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "acl.h"
#include "firmware_process.h"
#include "hccl/hccl.h"

namespace {

constexpr size_t KEY_BYTES = 65;

/* What a process needs to open the objects of the other one. */
struct Offer {
	char memory[KEY_BYTES];
	aclrtIpcEventHandle made;
	aclrtIpcEventHandle taken;
};

/* class Line - between the two processes, both ways. */
class Line {
public:
	Line(int in, int out) : in_(in), out_(out) {}

	template <class T> void send(const T &value) const
	{
		programs::check(write(out_, &value, sizeof(value)) == sizeof(value), "write", 0,
				__FILE__, __LINE__);
	}
	template <class T> T receive() const
	{
		T value;
		programs::check(read(in_, &value, sizeof(value)) == sizeof(value), "read", 0,
				__FILE__, __LINE__);
		return value;
	}

private:
	int in_;
	int out_;
};

} // namespace

static void open_device()
{
	OK(aclInit(nullptr));
	OK(aclrtSetDevice(0));
}

static void close_device()
{
	OK(aclrtResetDeviceForce(0));
	OK(aclFinalize());
}

static aclrtEvent new_shared_event(aclrtIpcEventHandle &handle)
{
	aclrtEvent event = nullptr;
	OK(aclrtCreateEventExWithFlag(&event, ACL_EVENT_IPC));
	OK(aclrtIpcGetEventHandle(event, &handle));
	return event;
}

static aclrtEvent opened(const aclrtIpcEventHandle &handle)
{
	aclrtEvent event = nullptr;
	OK(aclrtIpcOpenEventHandle(handle, &event));
	return event;
}

static constexpr int TURNS = 3;

/* Fills the buffer in each turn, when the other process has taken what was in it. */
static void produce(const Line &line)
{
	Offer offer = {};
	aclrtStream stream = new_stream();
	char *buffer = new_memory();
	aclrtEvent made = new_shared_event(offer.made), taken = new_shared_event(offer.taken);
	OK(aclrtIpcMemGetExportKey(buffer, BYTES, offer.memory, KEY_BYTES,
				   ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
	for (int turn = 0; turn < TURNS; turn++) {
		if (turn > 0)
			wait(stream, taken);
		fill(stream, buffer);
		record(made, stream);
		if (turn == 0)
			line.send(offer);
		line.send(turn);
		(void)line.receive<int>();
	}
	wait(stream, taken);
	sync(stream);
	line.send(TURNS);
	(void)line.receive<int>();
	OK(aclrtFree(buffer));
}

static void consume(const Line &line, bool waits_always)
{
	aclrtStream stream = new_stream();
	char *result = new_memory();
	void *buffer = nullptr;
	const Offer offer = line.receive<Offer>();
	OK(aclrtIpcMemImportByKey(&buffer, offer.memory, 0));
	aclrtEvent made = opened(offer.made), taken = opened(offer.taken);
	for (int turn = 0; turn < TURNS; turn++) {
		(void)line.receive<int>();
		if (turn == 0 || waits_always)
			wait(stream, made);
		copy(stream, result, buffer);
		record(taken, stream);
		line.send(turn);
	}
	(void)line.receive<int>();
	sync(stream);
	OK(aclrtIpcMemClose(offer.memory));
	line.send(TURNS);
}

PROGRAM(B32, "RACE-XCLIENT")
{
	int there[2], back[2];
	OK(pipe(there));
	OK(pipe(back));
	const pid_t consumer = fork();
	programs::check(consumer >= 0, "fork", 0, __FILE__, __LINE__);
	open_device();
	if (consumer == 0) {
		consume({there[0], back[1]}, fixed);
		close_device();
		_exit(0);
	}
	produce({back[0], there[1]});
	close_device();
	int status = 0;
	programs::check(waitpid(consumer, &status, 0) == consumer && status == 0, "the consumer",
			status, __FILE__, __LINE__);
}

/* The consumer copies what the other process may still be filling. There is no event; the order is made by a wait of
 * the host, and what it tells. */
PROGRAM(B33, "RACE-XCLIENT")
{
	int there[2], back[2];
	OK(pipe(there));
	OK(pipe(back));
	const pid_t consumer = fork();
	programs::check(consumer >= 0, "fork", 0, __FILE__, __LINE__);
	open_device();
	aclrtStream stream = new_stream();
	Offer offer = {};
	if (consumer == 0) {
		const Line line(there[0], back[1]);
		void *buffer = nullptr;
		char *result = new_memory();
		offer = line.receive<Offer>();
		OK(aclrtIpcMemImportByKey(&buffer, offer.memory, 0));
		line.send(0);
		(void)line.receive<int>();
		copy(stream, result, buffer);
		line.send(1);
		sync(stream);
		close_device();
		_exit(0);
	}
	const Line line(back[0], there[1]);
	char *buffer = new_memory();
	OK(aclrtIpcMemGetExportKey(buffer, BYTES, offer.memory, KEY_BYTES,
				   ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
	line.send(offer);
	(void)line.receive<int>();
	fill(stream, buffer);
	if (fixed)
		sync(stream);
	line.send(0);
	(void)line.receive<int>();
	sync(stream);
	int status = 0;
	programs::check(waitpid(consumer, &status, 0) == consumer && status == 0, "the consumer",
			status, __FILE__, __LINE__);
	close_device();
}

/* A process that was reading is killed. Its parent, which has waited for it, may write. */
CORRECT(B46_reader_that_was_killed)
{
	int there[2], back[2];
	OK(pipe(there));
	OK(pipe(back));
	const pid_t reader = fork();
	programs::check(reader >= 0, "fork", 0, __FILE__, __LINE__);
	open_device();
	aclrtStream stream = new_stream();
	Offer offer = {};
	if (reader == 0) {
		const Line line(there[0], back[1]);
		void *buffer = nullptr;
		char *result = new_memory();
		offer = line.receive<Offer>();
		OK(aclrtIpcMemImportByKey(&buffer, offer.memory, 0));
		copy(stream, result, buffer);
		line.send(0);
		(void)line.receive<int>(); /* which never comes */
		_exit(1);
	}
	const Line line(back[0], there[1]);
	char *buffer = new_memory();
	OK(aclrtIpcMemGetExportKey(buffer, BYTES, offer.memory, KEY_BYTES,
				   ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
	line.send(offer);
	(void)line.receive<int>();
	OK(kill(reader, SIGKILL));
	int status = 0;
	programs::check(waitpid(reader, &status, 0) == reader && WIFSIGNALED(status), "the reader",
			status, __FILE__, __LINE__);
	fill(stream, buffer);
	sync(stream);
	OK(aclrtFree(buffer));
	close_device();
}

static HcclComm join(const HcclRootInfo &info, uint32_t rank)
{
	HcclComm comm = nullptr;
	OK(HcclCommInitRootInfo(2, &info, rank, &comm));
	return comm;
}

/* The other rank copies what this one has filled. The barrier of the communicator orders them, and comes too late. */
PROGRAM(P01_barrier_of_two_processes, "RACE-XCLIENT")
{
	int there[2], back[2];
	OK(pipe(there));
	OK(pipe(back));
	const pid_t consumer = fork();
	programs::check(consumer >= 0, "fork", 0, __FILE__, __LINE__);
	OK(aclInit(nullptr));
	if (consumer == 0) {
		const Line line(there[0], back[1]);
		OK(aclrtSetDevice(1));
		const HcclComm comm = join(line.receive<HcclRootInfo>(), 1);
		aclrtStream stream = new_stream();
		char *result = new_memory();
		void *buffer = nullptr;
		const Offer offer = line.receive<Offer>();
		OK(aclrtIpcMemImportByKey(&buffer, offer.memory,
					  ACL_RT_IPC_MEM_IMPORT_FLAG_ENABLE_PEER_ACCESS));
		line.send(0);
		if (!fixed)
			copy(stream, result, buffer);
		OK(HcclBarrier(comm, stream));
		if (fixed)
			copy(stream, result, buffer);
		sync(stream);
		line.send(1);
		(void)line.receive<int>();
		OK(HcclCommDestroy(comm));
		OK(aclrtResetDeviceForce(1));
		OK(aclFinalize());
		_exit(0);
	}
	const Line line(back[0], there[1]);
	HcclRootInfo info{};
	Offer offer = {};
	OK(aclrtSetDevice(0));
	OK(HcclGetRootInfo(&info));
	line.send(info);
	const HcclComm comm = join(info, 0);
	aclrtStream stream = new_stream();
	char *buffer = new_memory();
	OK(aclrtIpcMemGetExportKey(buffer, BYTES, offer.memory, KEY_BYTES,
				   ACL_RT_IPC_MEM_EXPORT_FLAG_DISABLE_PID_VALIDATION));
	line.send(offer);
	(void)line.receive<int>();
	fill(stream, buffer);
	OK(HcclBarrier(comm, stream));
	(void)line.receive<int>();
	sync(stream);
	line.send(2);
	OK(HcclCommDestroy(comm));
	int status = 0;
	programs::check(waitpid(consumer, &status, 0) == consumer && status == 0, "the consumer",
			status, __FILE__, __LINE__);
	close_device();
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return programs::main_of(argc, argv, nullptr, nullptr);
	const conformance::Firmware firmware({"--devices", "2"});
	programs::check(setenv("UNPU_DEVICE", firmware.device_string().c_str(), 1) == 0, "setenv",
			0, __FILE__, __LINE__);
	return programs::main_of(
		argc, argv, [] {}, [] {});
}
