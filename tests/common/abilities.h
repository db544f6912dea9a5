/* SPDX-License-Identifier: MIT */
/*
 * DOC: what the machine lets a test do
 *
 * Emulators of one program, such as qemu-user, lack calls that each kernel has. A test asks first and is skipped.
 */
#ifndef UNPU_TEST_ABILITIES_H
#define UNPU_TEST_ABILITIES_H

#include <cstdint>

#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whether a process may filter its system calls. */
inline bool has_call_filters()
{
	uint32_t action = SECCOMP_RET_ALLOW;

	return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

/* Whether a process of user kernels can be confined, without which none starts. */
inline bool can_confine()
{
	return has_call_filters() && syscall(SYS_landlock_create_ruleset, nullptr, 0,
					     LANDLOCK_CREATE_RULESET_VERSION) > 0;
}

/* Whether madvise() does what is advised. An emulator of one program says that it did, and gives no page back. */
inline bool follows_advice()
{
	const size_t bytes = 1 << 16;
	const int file = static_cast<int>(syscall(SYS_memfd_create, "probe", 0));
	struct stat found = {};
	void *data;
	bool can;

	if (ftruncate(file, bytes) != 0) {
		close(file);
		return false;
	}
	data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	*static_cast<char *>(data) = 1;
	madvise(data, bytes, MADV_REMOVE);
	can = fstat(file, &found) == 0 && found.st_blocks == 0;
	munmap(data, bytes);
	close(file);
	return can;
}

/* Whether an emulator runs this program alone: its memory is also the emulator's, and a process that is forked while
 * other threads work can hang at a lock of the emulator. */
inline bool is_emulated()
{
	return !follows_advice();
}

#define SKIP_WITHOUT_CALL_FILTERS() \
	if (!has_call_filters()) \
	GTEST_SKIP() << "this kernel has no filters of system calls"

#define SKIP_WITHOUT_ADVICE() \
	if (!follows_advice()) \
	GTEST_SKIP() << "this kernel does nothing of what madvise() is asked for"

/* For tests that run kernels of users in a process of theirs. */
#define SKIP_WITHOUT_WORKERS() \
	if (!can_confine()) \
	GTEST_SKIP() << "this kernel can't confine a process, so that no kernel of a user runs"

#endif
