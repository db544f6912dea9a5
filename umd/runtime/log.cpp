// SPDX-License-Identifier: MIT
/**
 * DOC: Log
 *
 * Where lines go that somebody asked for. Each is one write to a file that only grows.
 */
#include "umd/log.h"

#include <fcntl.h>
#include <unistd.h>

#include "hal/options.h"

namespace umd {

/* Kept until the process ends. A file that can't be opened leaves the lines on stderr. */
static int log_file()
{
	static const int file = [] {
		std::string path = hal::environment("UNPU_LOG_FILE");
		int opened = path.empty() ? -1
					  : open(path.c_str(),
						 O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
		return opened < 0 ? STDERR_FILENO : opened;
	}();
	return file;
}

void log_line(std::string line)
{
	line.push_back('\n');
	/* A full disk is no reason to disturb the program. */
	ssize_t written = write(log_file(), line.data(), line.size());
	(void)written;
}

} // namespace umd
