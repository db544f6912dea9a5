// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"
#include "process.h"

namespace umd {

struct OpenDevice;
struct Stream;

/** class FailureNotes - what a front end adds to the sentences about collective operations: about failed ones, and
 * about those that wait. */
class FailureNotes {
public:
	/** using Note - Return: the end of the sentence about task @index of @stream that failed with @status; "" for
	 * nothing. Context: any thread, which may hold a lock of the stream's context. */
	using Note = std::string (*)(const Stream &stream, uint64_t index, base::Status status);

	static FailureNotes &get() { return Process::own<FailureNotes>(); }

	/** using Wait - what keeps the collective operations of @open from their end. A thread that waits for one of
	 * them calls it. @is_certain: receives whether it never ends. Return: a sentence or "". */
	using Wait = std::string (*)(OpenDevice &open, bool &is_certain);

	void set(Note note, Wait wait)
	{
		note_.store(note);
		wait_.store(wait);
	}

	/** text() - what the front end adds. */
	std::string text(const Stream &stream, uint64_t index, base::Status status) const
	{
		const Note note = note_.load();
		return note ? note(stream, index, status) : std::string();
	}

	/** wait_text() - what the front end knows about a wait. */
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
