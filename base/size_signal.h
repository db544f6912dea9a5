// SPDX-License-Identifier: MIT
#pragma once

#include <cerrno>
#include <csignal>
#include <ctime>

namespace base {

/** class WithoutSizeSignal - while it lives, a write past RLIMIT_FSIZE fails with EFBIG instead of ending the
 * process by SIGXFSZ. Its destructor keeps errno. Context: the thread that made it. */
class WithoutSizeSignal {
public:
	WithoutSizeSignal()
	{
		sigemptyset(&signal_);
		sigaddset(&signal_, SIGXFSZ);
		pthread_sigmask(SIG_BLOCK, &signal_, &before_);
	}
	~WithoutSizeSignal()
	{
		const timespec now{};
		const int error = errno;
		if (sigismember(&before_, SIGXFSZ))
			return;
		while (sigtimedwait(&signal_, nullptr, &now) > 0)
			continue;
		pthread_sigmask(SIG_SETMASK, &before_, nullptr);
		errno = error;
	}
	WithoutSizeSignal(const WithoutSizeSignal &) = delete;
	WithoutSizeSignal &operator=(const WithoutSizeSignal &) = delete;

private:
	sigset_t signal_;
	sigset_t before_;
};

} // namespace base
