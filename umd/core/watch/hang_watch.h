// SPDX-License-Identifier: MIT
#pragma once

#include "hal/device.h"

namespace umd {

struct OpenDevice;

/**
 * class HangWatch - writes a line to stderr when a thread waits without a time limit for work of one device and nothing
 * moves. The line says what the stream waits for. UNPU_HANG_S is the time in seconds; 0 writes none.
 *
 * A wait that only a call can end which nobody has made, or that a function of the program makes, is named after a
 * second. Context: threads that wait.
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

/** look_at_end() - the same for a thread that waits for the work of streams before it ends them. Such a wait has a
 * limit, after which the work is dropped. @wait: its fields are the caller's */
void look_at_end(OpenDevice &open, hal::StuckWait &wait);

} // namespace umd
