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

} // namespace umd
