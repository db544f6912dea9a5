// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <string>

#include "base/status.h"
#include "umd/core/process/process.h"

namespace umd {

struct Stream;

/** class FailureNotes - what a front end adds to the sentences about failed tasks of collective operations. */
class FailureNotes {
public:
	/** using Note - Return: the end of the sentence about a task of @stream that failed with @status; "" for
	 * nothing. Context: any thread, which may hold a lock of the stream's context. */
	using Note = std::string (*)(const Stream &stream, base::Status status);

	static FailureNotes &get() { return Process::own<FailureNotes>(); }

	void set(Note note) { note_.store(note); }

	/** text() - what the front end adds. */
	std::string text(const Stream &stream, base::Status status) const
	{
		const Note note = note_.load();
		return note ? note(stream, status) : std::string();
	}

private:
	std::atomic<Note> note_{nullptr};
};

} // namespace umd
