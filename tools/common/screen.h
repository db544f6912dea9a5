// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include <termios.h>

namespace tool {

/**
 * class Screen - a text that is drawn again and again until somebody quits, by q or ctrl-c. Where
 * standard output is no terminal the texts follow each other, and keys are not looked at. To be made before the process has threads: they must not take its signals.
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
	bool keys_ = false;
	int signals_ = -1;
	termios before_{};
};

} // namespace tool
