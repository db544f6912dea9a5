// SPDX-License-Identifier: MIT
/*
 * DOC: clients that stay
 *
 * Clients that are not killed work in rounds and check the results, while others die. When the
 * firmware dies, each call has to report that within the deadline. After a reset the client works
 * with the next firmware.
 */
#include "survivor.h"

#include <unistd.h>

#include <algorithm>

namespace stress {

End Survivor::judge(int code, const char *call)
{
	if (code == 0)
		return End::GOOD;
	/* The driver says that it kills before it does. */
	if (firmware_died() || code == lost())
		return End::LOST;
	fprintf(stderr, "survivor %d: %s: error %d: %s\n", getpid(), call, code, why());
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

End Survivor::look(int value)
{
	if (std::all_of(host_.begin(), host_.end(), [value](int byte) { return byte == value; }))
		return End::GOOD;
	fprintf(stderr, "survivor %d: a byte is %d, not %d\n", getpid(), host_[0], value);
	count(&Seat::wrong);
	return End::WRONG;
}

End Survivor::round()
{
	const auto value = static_cast<unsigned char>(random_() % 251);

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

End Survivor::one_of_each()
{
	STRESS_TRY(rebuild());
	STRESS_TRY(replay(1));
	return work(2);
}

/* The firmware is dead, or dying: every call says so, and after a reset the next one serves. */
bool Survivor::come_back()
{
	/* A call may fail before the count of deaths is increased; that failure is reported below. */
	while (!firmware_died() && !board_.stop)
		usleep(100);
	known_ = board_.killed;
	while (synchronise() == 0)
		usleep(100);
	note_time(board_.killed_ns);
	for (const int code : after_death()) {
		if (code == lost())
			continue;
		fprintf(stderr, "survivor %d: after the firmware's death a call says %d\n",
			getpid(), code);
		count(&Seat::failures);
	}
	note_time(board_.killed_ns);
	count(&Seat::losses);
	drop();
	const uint64_t reset_ns = now_ns();

	if (!reset())
		count(&Seat::failures);
	note_time(reset_ns);
	while (!open()) {
		if (board_.stop || firmware_died())
			return false;
		(void)reset();
		usleep(1000);
	}
	count(&Seat::comebacks);
	return true;
}

/* A thread that makes memory present ahead of its use ends by itself, a little later. */
static Census census_at_rest(uint64_t threads)
{
	Census now = census(0);

	for (int i = 0; i < 200 && now.threads > threads; ++i) {
		usleep(10000);
		now = census(0);
	}
	return now;
}

int Survivor::run()
{
	if (!init() || !open() || one_of_each() != End::GOOD)
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
		/* Since the last reset there may have been no round that leaves memory and a stream parked. */
		if ((rounds == 200 || seat_.fds[0] == 0) && one_of_each() == End::GOOD) {
			const Census now = census(0);

			seat_.fds[0] = now.fds;
			seat_.threads[0] = now.threads;
			seat_.memfd_bytes[0] = now.memfd_bytes;
		}
	}
	const Census now = census_at_rest(seat_.threads[0]);

	seat_.fds[1] = now.fds;
	seat_.threads[1] = now.threads;
	seat_.memfd_bytes[1] = now.memfd_bytes;
	finish();
	return 0;
}

} // namespace stress
