// SPDX-License-Identifier: MIT
/**
 * DOC: Log
 *
 * Writes the log lines that the program enabled to UNPU_LOG_FILE or stderr. Each line is one write() to a
 * file opened with O_APPEND, so that lines of several threads and processes do not mix.
 */
#include "log.h"

#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/size_signal.h"
#include "hal/options.h"

namespace umd {

/* The file stays open until the process ends. If it can't be opened, the lines go to stderr. */
static int log_file()
{
	static const int file = [] {
		std::string path = hal::environment("UNPU_LOG_FILE");
		int opened = path.empty()
				     ? -1
				     : base::calls::open(path.c_str(),
							 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC,
							 0644);
		return opened < 0 ? STDERR_FILENO : opened;
	}();
	return file;
}

void log_line(std::string line)
{
	line.push_back('\n');
	const base::WithoutSizeSignal quiet;
	/* Ignore write errors: a full disk must not disturb the program. */
	ssize_t written = base::calls::write(log_file(), line.data(), line.size());
	(void)written;
}

} // namespace umd
