// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"
#include "umd/core/process/process.h"

namespace umd {

struct OpenDevice;
struct Stream;

/** class FailureNotes - texts that front ends add to messages about failed or waiting collective operations. */
class FailureNotes {
public:
	/** using Note - a function that makes the end of the message about task @index of @stream, which
	 * failed with @status. Return: "" to add nothing. Context: any thread, which may hold a lock of the
	 * stream's context. */
	using Note = std::string (*)(const Stream &stream, uint64_t index, base::Status status);

	static FailureNotes &get() { return Process::own<FailureNotes>(); }

	/** using Wait - a function that explains why the collective operations of @open do not end. A thread
	 * that waits for one of them calls it. @is_certain: receives whether the wait will certainly never
	 * end. Return: a message, or "". */
	using Wait = std::string (*)(OpenDevice &open, bool &is_certain);

	void set(Note note, Wait wait)
	{
		note_.store(note);
		wait_.store(wait);
	}

	/** text() - the text that the front end adds for a failed task. */
	std::string text(const Stream &stream, uint64_t index, base::Status status) const
	{
		const Note note = note_.load();
		return note ? note(stream, index, status) : std::string();
	}

	/** wait_text() - the text that the front end has about a wait. */
	std::string wait_text(OpenDevice &open, bool &is_certain) const
	{
		const Wait wait = wait_.load();
		is_certain = false;
		return wait ? wait(open, is_certain) : std::string();
	}

private:
	std::atomic<Note> note_{nullptr};
	std::atomic<Wait> wait_{nullptr};
};

} // namespace umd
