// SPDX-License-Identifier: MIT
/**
 * DOC: Why a capture failed
 *
 * Many calls can be refused during a capture, long before its end reports an error. The first refusal is
 * the cause that the program needs; later ones often follow from it. The notes keep that first one.
 */
#include "capture_notes.h"

#include <algorithm>

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Status;

void CaptureNotes::add(const TaskSink *capture, std::string text)
{
	std::lock_guard lock(mutex_);
	bool known = std::any_of(notes_.begin(), notes_.end(),
				 [&](const Note &note) { return note.capture == capture; });
	if (!known)
		notes_.push_back({capture, std::move(text)});
}

std::string CaptureNotes::take(const TaskSink *capture)
{
	std::lock_guard lock(mutex_);
	std::string text;
	for (const Note &note : notes_) {
		if (text.empty() && (note.capture == capture || !note.capture))
			text = note.text;
	}
	std::erase_if(notes_, [&](const Note &note) { return note.capture == capture; });
	return text;
}

void CaptureNotes::clear()
{
	std::lock_guard lock(mutex_);
	notes_.clear();
}

Status refuse_for_capture(CaptureNotes &notes, Status status, std::string sentence,
			  const CaptureSubject &subject)
{
	std::string where = fmt::format("thread {}", syscall(SYS_gettid));
	if (subject.stream)
		where += fmt::format(", stream {}", *subject.stream);
	if (subject.event != 0)
		where += fmt::format(", event {:#x}", subject.event);
	notes.add(subject.capture, fmt::format("{}: {}", where, sentence));
	return set_error(status, std::move(sentence));
}

} // namespace umd
