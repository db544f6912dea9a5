// SPDX-License-Identifier: MIT
/**
 * DOC: Where a launch is
 *
 * A kernel that does not end may poll a word in a loop that calls nothing. So the threads of the launch are followed
 * for a moment, and the first line of the user among their instructions is the place.
 */
#include <cstdio>
#include <set>

#include "session.h"

namespace worker {

/* The instruction that reads the polled word stands in the user's loop, or in a function of the language that returns
 * to it. Of a function that the thread does not leave while it is followed, as a check of many bytes, the callers
 * tell. */
static std::string line_of(const Session &session, const Sample &sample)
{
	std::set<uint64_t> seen;
	std::string first;
	for (uint32_t i = 0; i < sample.count; i++) {
		const uint64_t code = sample.codes[(sample.reader + i) % sample.count];
		bool is_users = false;
		if (!seen.insert(code).second)
			continue;
		std::string line = session.find_line(code, is_users);
		if (is_users)
			return line;
		if (first.empty())
			first = std::move(line);
	}
	for (uint32_t i = 0; i < sample.callers_count; i++) {
		bool is_users = false;
		std::string line = session.find_line(sample.callers[i], is_users);
		if (is_users)
			return line;
	}
	return first;
}

std::string LaneLaunch::place() const
{
	static constexpr size_t MOST_THREADS = 4;
	std::string text;
	size_t blocks = 0;
	for (const int thread : runners()) {
		Sample sample;
		if (blocks == MOST_THREADS)
			break;
		if (!session.home.sample(thread, sample) || !sample.has_block)
			continue;
		blocks++;
		text += text.empty() ? "" : "; ";
		text += sample.core == UNPU_KERNEL_CORE_AIC ? "cube block " : "vector block ";
		text += std::to_string(sample.block);
		const std::string line = line_of(session, sample);
		if (!line.empty())
			text += " at " + line;
		if (sample.polled == 0)
			continue;
		char address[24];
		snprintf(address, sizeof(address), "%#llx",
			 static_cast<unsigned long long>(sample.polled));
		text += line.empty() ? " reads " : ", which reads ";
		text += address;
	}
	return text;
}

} // namespace worker
