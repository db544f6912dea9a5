// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "base/sync/mutex.h"

namespace umd {

class TaskSink;

/**
 * class CaptureNotes - for each capture of a context, the first call that was refused because of it. The end
 * of an invalid capture adds it to the error message. Context: any thread; its lock is the innermost.
 */
class CaptureNotes {
public:
	/** add() - keeps @text if nothing was noted for @capture yet.
	 * @capture: only compared; nullptr for all captures of the context */
	void add(const TaskSink *capture, std::string text);

	/** take() - removes and returns the note for @capture; empty if there is none. */
	std::string take(const TaskSink *capture);

	/** clear() - drops all notes. Called when the context has no captures any more. */
	void clear();

private:
	struct Note {
		const TaskSink *capture;
		std::string text;
	};

	base::Mutex mutex_{"CaptureNotes::mutex_"};
	std::vector<Note> notes_ GUARDED_BY(mutex_);
};

/** struct CaptureSubject - the objects of a call that a capture forbids. */
struct CaptureSubject {
	const TaskSink *capture = nullptr; /* only compared; nullptr: all captures of the context */
	std::optional<uint32_t> stream;	   /* number of the stream */
	uint64_t event = 0;		   /* handle of the event */
};

/**
 * refuse_for_capture() - calls set_error() for a call that a capture forbids, and notes the call.
 * @notes: the notes of the context
 * Return: @status.
 */
base::Status refuse_for_capture(CaptureNotes &notes, base::Status status, std::string sentence,
				const CaptureSubject &subject = {});

} // namespace umd
