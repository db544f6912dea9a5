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
	/** @replaces: on a terminal, each text replaces the previous one; otherwise the texts follow each
	 * other. */
	explicit Screen(bool replaces = true);
	~Screen();
	Screen(const Screen &) = delete;
	Screen &operator=(const Screen &) = delete;

	/** draw() - shows @text in place of the previous text. */
	void draw(const std::string &text);

	/** wait() - waits for @seconds, or until the user presses a key. @key: if not nullptr, receives the
	 * key, or 0 if the user has pressed none. Return: false when it is time to quit. */
	bool wait(double seconds, char *key = nullptr);

	bool is_terminal() const { return is_terminal_; }
	/** has_keys() - whether the user can press keys. */
	bool has_keys() const { return has_keys_; }

private:
	char read_key();

	const bool is_terminal_;
	const bool drawing_; /* whether each text replaces the previous one on a terminal */
	bool has_keys_ = false;
	int signals_ = -1;
	termios before_{};
};

} // namespace tool
