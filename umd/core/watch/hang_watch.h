// SPDX-License-Identifier: MIT
#pragma once

#include "base/clock.h"
#include "hal/device.h"

namespace umd {

struct OpenDevice;

/**
 * class HangWatch - writes a line to stderr when a thread waits without a time limit for work of a device,
 * and the device makes no progress. The line says what the stream waits for. UNPU_HANG_S is the time in
 * seconds after which it is written; 0: never.
 *
 * Two kinds of waits are reported after one second already: a wait that only a call can end which no thread
 * has made, and a wait inside of a function of the program. Context: threads that wait.
 */
class HangWatch final : public hal::WaitListener {
public:
	explicit HangWatch(OpenDevice &open) : open_(open) {}
	void look(hal::StuckWait &wait) override;

private:
	OpenDevice &open_;
};

/** hang_lines_are_off() - whether UNPU_HANG_S is 0. */
bool hang_lines_are_off();

/** class EndWatch - writes a line when the end of a device waits for a function of the program. Context: one
 * thread. */
class EndWatch {
public:
	explicit EndWatch(int32_t device) : device_(device) {}
	/** look() - to be called again and again while the wait lasts. */
	void look();

private:
	const int32_t device_;
	const uint64_t since_ns_ = base::now_ns();
	bool is_named_ = false;
};

/** look_at_end() - the same for a thread that waits for the work of streams which it will end. Such a wait
 * has a limit, after which the work is dropped. @wait: state that the caller keeps */
void look_at_end(OpenDevice &open, hal::StuckWait &wait);

} // namespace umd
