// SPDX-License-Identifier: MIT
/**
 * DOC: Screen
 *
 * The terminating signals are read from a signalfd, so that one poll() waits for the timer, a key and
 * ctrl-c. The terminal is restored in every case.
 */
#include "screen.h"

#include <algorithm>
#include <csignal>
#include <cstdio>

#include <fmt/format.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/os/calls/waits.h"

namespace tool {

/* Escape sequences that every terminal since the VT100 knows. */
static constexpr const char *HOME_AND_CLEAR = "\033[H\033[J";
static constexpr const char *HIDE_CURSOR = "\033[?25l";
static constexpr const char *SHOW_CURSOR = "\033[?25h";

Screen::Screen(bool replaces)
	: is_terminal_(isatty(STDOUT_FILENO)), drawing_(is_terminal_ && replaces)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &set, nullptr);
	signals_ = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (is_terminal_ && isatty(STDIN_FILENO) && tcgetattr(STDIN_FILENO, &before_) == 0) {
		termios now = before_;
		now.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
		has_keys_ = tcsetattr(STDIN_FILENO, TCSANOW, &now) == 0;
	}
	if (drawing_)
		fmt::print("{}", HIDE_CURSOR);
}

Screen::~Screen()
{
	if (drawing_)
		fmt::print("{}", SHOW_CURSOR);
	std::fflush(stdout);
	if (has_keys_)
		tcsetattr(STDIN_FILENO, TCSANOW, &before_);
	if (signals_ >= 0)
		base::calls::close(signals_);
}

void Screen::draw(const std::string &text)
{
	const std::string all =
		fmt::format("{}{}{}", drawing_ ? HOME_AND_CLEAR : "", text, drawing_ ? "" : "\n");
	std::fwrite(all.data(), 1, all.size(), stdout);
	std::fflush(stdout);
}

/* Return: the key, or 0 if no key was pressed. */
char Screen::read_key()
{
	char key = 0;
	if (base::calls::read(STDIN_FILENO, &key, 1) == 1)
		return key;
	has_keys_ = false; /* the terminal is gone */
	return 0;
}

bool Screen::wait(double seconds, char *key)
{
	const double most_ns = std::min(seconds, 1e9) * base::NS_PER_S;
	const uint64_t deadline_ns = base::deadline_after(static_cast<uint64_t>(most_ns));
	if (key)
		*key = 0;
	/* Without a terminal nobody can see the text. */
	if (std::ferror(stdout))
		return false;
	for (;;) {
		pollfd files[] = {{signals_, POLLIN, 0},
				  {has_keys_ ? STDIN_FILENO : -1, POLLIN, 0}};
		if (base::calls::poll(files, std::size(files), deadline_ns) <= 0)
			return true;
		if (files[0].revents)
			return false;
		const char pressed = files[1].revents ? read_key() : '\0';
		if (pressed == 'q' || pressed == 'Q')
			return false;
		if (key && pressed != 0) {
			*key = pressed;
			return true;
		}
	}
}

} // namespace tool
