// SPDX-License-Identifier: MIT
/*
 * DOC: clients that stay
 *
 * Rounds of work with results that are checked, while others die around them. When the firmware dies
 * each call has to say so within the deadline, and after a reset and with the next firmware the work
 * goes on.
 */
#include "clients.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>
#include <vector>

#include "acl/acl.h"

namespace stress {

namespace {

constexpr size_t kBytes = size_t{32} << 10;
constexpr aclError kLost = ACL_ERROR_RT_LOST_HEARTBEAT;

enum class End { GOOD, LOST, WRONG, FAILED };

/* What a round needs, and what is lost with the device. */
struct Objects {
	aclrtStream a = nullptr;
	aclrtStream b = nullptr;
	aclrtEvent event = nullptr;
	aclmdlRI model = nullptr;
	void *x = nullptr;
	void *y = nullptr;
};

class Survivor {
public:
	Survivor(Board &board, Seat &seat, unsigned seed)
		: board_(board), seat_(seat), random_(seed)
	{
	}

	int run();

private:
	bool open();
	End make();
	End round();
	End work(int value);
	End replay(int value);
	End look(int value);
	End rebuild();
	bool come_back();
	bool firmware_died() const { return board_.killed.load() != known_; }
	End judge(aclError code, const char *call);
	void count(std::atomic<uint64_t> Seat::*what) { (seat_.*what)++; }
	void note_time(uint64_t since_ns);

	Board &board_;
	Seat &seat_;
	std::mt19937 random_;
	Objects own_;
	std::vector<unsigned char> host_ = std::vector<unsigned char>(kBytes);
	uint64_t known_ = 0; /* deaths of the firmware that were dealt with */
};

#define STRESS_TRY(...) \
	do { \
		const End end_ = (__VA_ARGS__); \
		if (end_ != End::GOOD) \
			return end_; \
	} while (0)
#define STRESS_CALL(...) STRESS_TRY(judge((__VA_ARGS__), #__VA_ARGS__))

End Survivor::judge(aclError code, const char *call)
{
	if (code == ACL_SUCCESS)
		return End::GOOD;
	/* The driver says that it kills before it does. */
	if (firmware_died() || code == kLost)
		return End::LOST;
	const char *why = aclGetRecentErrMsg();

	fprintf(stderr, "survivor %d: %s: error %d: %s\n", getpid(), call, code, why ? why : "");
	count(&Seat::failures);
	return End::FAILED;
}

void Survivor::note_time(uint64_t since_ns)
{
	const uint64_t took_ns = now_ns() - since_ns;

	seat_.slowest_ns = std::max(seat_.slowest_ns.load(), took_ns);
	if (took_ns > board_.deadline_ns)
		count(&Seat::hangs);
}

bool Survivor::open()
{
	return aclrtSetDevice(0) == ACL_SUCCESS && make() == End::GOOD;
}

End Survivor::make()
{
	own_ = {};
	STRESS_CALL(aclrtCreateStream(&own_.a));
	STRESS_CALL(aclrtCreateStream(&own_.b));
	STRESS_CALL(aclrtCreateEvent(&own_.event));
	STRESS_CALL(aclrtMalloc(&own_.x, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclrtMalloc(&own_.y, kBytes, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclmdlRICaptureBegin(own_.a, ACL_MODEL_RI_CAPTURE_MODE_RELAXED));
	/* Past here the capture has to end, whatever comes. */
	const aclError copied = aclrtMemcpyAsync(own_.y, kBytes, own_.x, kBytes,
						 ACL_MEMCPY_DEVICE_TO_DEVICE, own_.a);
	const aclError ended = aclmdlRICaptureEnd(own_.a, &own_.model);

	STRESS_CALL(copied);
	STRESS_CALL(ended);
	return End::GOOD;
}

End Survivor::look(int value)
{
	STRESS_CALL(aclrtMemcpy(host_.data(), kBytes, own_.y, kBytes, ACL_MEMCPY_DEVICE_TO_HOST));
	if (std::all_of(host_.begin(), host_.end(), [value](int byte) { return byte == value; }))
		return End::GOOD;
	fprintf(stderr, "survivor %d: a byte is %d, not %d\n", getpid(), host_[0], value);
	count(&Seat::wrong);
	return End::WRONG;
}

End Survivor::work(int value)
{
	STRESS_CALL(aclrtMemsetAsync(own_.x, kBytes, value, kBytes, own_.a));
	STRESS_CALL(aclrtRecordEvent(own_.event, own_.a));
	STRESS_CALL(aclrtStreamWaitEvent(own_.b, own_.event));
	STRESS_CALL(aclrtMemcpyAsync(own_.y, kBytes, own_.x, kBytes, ACL_MEMCPY_DEVICE_TO_DEVICE,
				     own_.b));
	STRESS_CALL(aclrtSynchronizeStream(own_.b));
	return look(value);
}

End Survivor::replay(int value)
{
	STRESS_CALL(aclrtMemsetAsync(own_.x, kBytes, value, kBytes, own_.a));
	STRESS_CALL(aclmdlRIExecuteAsync(own_.model, own_.a));
	STRESS_CALL(aclrtSynchronizeDevice());
	return look(value);
}

End Survivor::rebuild()
{
	void *more = nullptr;
	aclrtStream stream = nullptr;

	STRESS_CALL(aclrtCreateStream(&stream));
	STRESS_CALL(aclrtMalloc(&more, size_t{8} << 20, ACL_MEM_MALLOC_NORMAL_ONLY));
	STRESS_CALL(aclrtFree(more));
	STRESS_CALL(aclrtDestroyStream(stream));
	return End::GOOD;
}

End Survivor::round()
{
	const int value = static_cast<int>(random_() % 251);

	switch (random_() % 8) {
	case 0:
		return rebuild();
	case 1:
	case 2:
	case 3:
		return replay(value);
	default:
		return work(value);
	}
}

/* The firmware is dead, or dying: every call says so, and after a reset the next one serves. */
bool Survivor::come_back()
{
	/* A call that fails before the count goes up is told of the death below. */
	while (!firmware_died() && !board_.stop)
		usleep(100);
	known_ = board_.killed;
	while (aclrtSynchronizeDevice() == ACL_SUCCESS)
		usleep(100);
	note_time(board_.killed_ns);
	for (const aclError code :
	     {aclrtSynchronizeStream(own_.a), aclrtMemsetAsync(own_.x, kBytes, 1, kBytes, own_.a),
	      aclrtSynchronizeDevice()}) {
		if (code == kLost || !own_.a || !own_.x)
			continue;
		fprintf(stderr, "survivor %d: after the firmware's death a call says %d\n",
			getpid(), code);
		count(&Seat::failures);
	}
	note_time(board_.killed_ns);
	count(&Seat::losses);
	if (own_.model)
		(void)aclmdlRIDestroy(own_.model);
	if (own_.event)
		(void)aclrtDestroyEvent(own_.event);
	const uint64_t reset_ns = now_ns();

	if (aclrtResetDeviceForce(0) != ACL_SUCCESS)
		count(&Seat::failures);
	note_time(reset_ns);
	while (!open()) {
		if (board_.stop || firmware_died())
			return false;
		(void)aclrtResetDeviceForce(0);
		usleep(1000);
	}
	count(&Seat::comebacks);
	return true;
}

int Survivor::run()
{
	if (aclInit(nullptr) != ACL_SUCCESS || !open())
		return 2;
	for (uint64_t rounds = 0; !board_.stop; ++rounds) {
		const uint64_t began_ns = now_ns();
		const End end = firmware_died() ? End::LOST : round();

		if (end == End::FAILED || end == End::WRONG)
			return 1;
		if (end == End::LOST) {
			while (!board_.stop && !come_back())
				;
			continue;
		}
		note_time(began_ns);
		count(&Seat::rounds);
		if (rounds == 200 || seat_.fds[0] == 0) {
			const Census now = census(0);

			seat_.fds[0] = now.fds;
			seat_.threads[0] = now.threads;
			seat_.memfd_bytes[0] = now.memfd_bytes;
		}
	}
	const Census now = census(0);

	seat_.fds[1] = now.fds;
	seat_.threads[1] = now.threads;
	seat_.memfd_bytes[1] = now.memfd_bytes;
	(void)aclrtResetDeviceForce(0);
	(void)aclFinalize();
	return 0;
}

} // namespace

int stay(Board &board, unsigned number, unsigned seed)
{
	return Survivor(board, board.seats[number], seed).run();
}

} // namespace stress
