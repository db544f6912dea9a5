// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"

namespace umd {

struct Context;
struct Event;
struct Stream;

/**
 * class CaptureNotes - for each capture of a context the first call that was refused because of it, so
 * that the end of a capture that broke can tell. Context: any thread; the innermost lock.
 */
class CaptureNotes {
public:
	/** add() - keeps @text if nothing was noted for @capture yet.
	 * @capture: only compared; nullptr for all captures of the context */
	void add(const void *capture, std::string text);

	/** take() - what was noted for @capture, and forgets it; empty when nothing was. */
	std::string take(const void *capture);

	/** clear() - when the context has no captures any more. */
	void clear();

private:
	struct Note {
		const void *capture;
		std::string text;
	};

	base::Mutex mutex_{"CaptureNotes::mutex_"};
	std::vector<Note> notes_;
};

/**
 * refuse_for_capture() - set_error() for a call that a capture forbids, and notes it.
 * @stream, @event: what the call was about, or nullptr
 * Return: @status.
 */
base::Status refuse_for_capture(Context &context, base::Status status, std::string sentence,
				const Stream *stream, const Event *event = nullptr);

} // namespace umd
