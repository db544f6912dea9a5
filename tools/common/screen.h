// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <termios.h>

namespace tool {

/**
 * class Screen - draws a text again and again until the user presses q or ctrl-c. If standard output is no
 * terminal, it prints the texts one after another and reads no keys. Create it before the process has threads,
 * because other threads must not take its signals.
 */
class Screen {
public:
	Screen();
	~Screen();
	Screen(const Screen &) = delete;
	Screen &operator=(const Screen &) = delete;

	/** draw() - shows @text in place of the one before. */
	void draw(const std::string &text);

	/** wait() - for so long. Return: false when it is time to quit. */
	bool wait(double seconds);

private:
	bool quit_pressed();

	const bool drawing_; /* on a terminal */
	bool has_keys_ = false;
	int signals_ = -1;
	termios before_{};
};

} // namespace tool
