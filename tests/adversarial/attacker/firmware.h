// SPDX-License-Identifier: MIT
/*
 * DOC: the firmware that is attacked
 */
#ifndef UNPU_TESTS_ATTACKER_FIRMWARE_H
#define UNPU_TESTS_ATTACKER_FIRMWARE_H

#include <cstdint>
#include <string>
#include <vector>

#include <sys/types.h>

namespace attacker {

/* A sanitizer makes requests ten times slower. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool IS_SANITIZED = true;
#elif defined(__has_feature)
constexpr bool IS_SANITIZED = __has_feature(address_sanitizer) || __has_feature(thread_sanitizer);
#else
constexpr bool IS_SANITIZED = false;
#endif

class Firmware {
public:
	/* start() - @more: options besides those that every attack needs. False when it does not serve. */
	bool start(const std::string &program, const std::string &socket,
		   const std::vector<std::string> &more);

	pid_t pid() const { return pid_; }
	uint64_t count_descriptors() const;
	/* has_at_most() - whether its descriptors come down to @count. Departures take a moment. */
	bool has_at_most(uint64_t count) const;
	uint64_t resident_kilobytes() const;
	/* gives_back() - whether its memory comes down to @most KiB. */
	bool gives_back(uint64_t most) const;
	/* end() - whether it ends in order when it is asked to. */
	bool end() const;

private:
	pid_t pid_ = -1;
};

} // namespace attacker

#endif
