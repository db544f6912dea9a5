// SPDX-License-Identifier: MIT
/**
 * DOC: Files of decisions: writing and reading
 */
#include "decisions.h"

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"

namespace fw {

using base::Status;

static constexpr std::string_view HEAD = "unpu-decisions 1 ";
static constexpr size_t COLUMNS = 100;

void DecisionLog::put(const std::string &word)
{
	if (column_ != 0 && column_ + word.size() >= COLUMNS) {
		text_ += '\n';
		column_ = 0;
	}
	if (column_ != 0) {
		text_ += ' ';
		column_++;
	}
	text_ += word;
	column_ += word.size();
}

void DecisionLog::end_run()
{
	if (repeats_ > 0)
		put(repeats_ == 1 ? last_ : fmt::format("{}*{}", last_, repeats_));
	repeats_ = 0;
}

void DecisionLog::begin(Reason reason, uint64_t arrivals)
{
	if (path_.empty())
		return;
	end_run();
	put(fmt::format("@{}{}", arrivals, static_cast<char>(reason)));
}

void DecisionLog::note(const Choice &choice)
{
	if (path_.empty())
		return;
	std::string word;
	if (choice.client != 0)
		word += fmt::format("{}:", choice.client);
	word += fmt::format("{}", choice.stream);
	if (choice.line != NO_LINE)
		word += fmt::format("g{}", choice.line);
	word += choice.kind;
	if (repeats_ > 0 && word == last_) {
		repeats_++;
		return;
	}
	end_run();
	last_ = word;
	repeats_ = 1;
}

void DecisionLog::remark(const std::string &text)
{
	if (path_.empty())
		return;
	end_run();
	text_ += (column_ != 0 ? "\n! " : "! ") + text + "\n";
	column_ = 0;
}

std::string DecisionLog::flush()
{
	end_run();
	if (text_.empty() || path_.empty() || has_failed_)
		return "";
	if (!is_begun_)
		text_.insert(0, std::string(HEAD) + head_ + "\n");
	const int flags = O_WRONLY | O_CREAT | O_CLOEXEC | (is_begun_ ? O_APPEND : O_TRUNC);
	const int fd = base::calls::open(path_.c_str(), flags, 0666);
	const bool is_written = fd >= 0 && base::calls::write_all(fd, text_.data(), text_.size());
	const int error = errno;
	if (fd >= 0)
		base::calls::close(fd);
	text_.clear();
	is_begun_ = true;
	if (is_written)
		return "";
	has_failed_ = true;
	return fmt::format("the file of decisions {}: {}", path_, strerror(error));
}

/* Takes a number off the front of @text. Return: whether there is one. */
template <class Number> static bool take_number(std::string_view &text, Number &number)
{
	const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
	if (error != std::errc())
		return false;
	text.remove_prefix(static_cast<size_t>(end - text.data()));
	return true;
}

static bool take_letter(std::string_view &text, char letter)
{
	if (text.empty() || text[0] != letter)
		return false;
	text.remove_prefix(1);
	return true;
}

static bool read_reason(char letter, Reason &reason)
{
	for (Reason each : {Reason::SUBMIT, Reason::WAIT, Reason::PROGRESS}) {
		if (static_cast<char>(each) != letter)
			continue;
		reason = each;
		return true;
	}
	return false;
}

static bool read_command(std::string_view word, Decision &decision)
{
	if (!take_number(word, decision.stream))
		return false;
	if (take_letter(word, ':')) {
		decision.client = decision.stream;
		if (!take_number(word, decision.stream))
			return false;
	}
	if (take_letter(word, 'g') && !take_number(word, decision.line))
		return false;
	if (word.empty())
		return false;
	decision.kind = word[0];
	word.remove_prefix(1);
	if (take_letter(word, '*') && (!take_number(word, decision.count) || decision.count == 0))
		return false;
	return word.empty();
}

bool Replay::add(std::string_view word)
{
	Decision decision;
	if (take_letter(word, '@')) {
		if (!take_number(word, decision.arrivals) || word.size() != 1 ||
		    !read_reason(word[0], decision.reason))
			return false;
	} else if (!read_command(word, decision)) {
		return false;
	}
	decisions_.push_back(decision);
	return true;
}

static Status refuse(const std::string &text, std::string &why)
{
	why = "replay: " + text;
	return Status::BAD_FILE;
}

Status Replay::read(const std::string &from, std::string &why)
{
	std::string text = from;
	if (!from.starts_with('@')) {
		if (!base::calls::read_file(from.c_str(), text))
			return refuse(fmt::format("{} can't be read: {}", from, strerror(errno)),
				      why);
		if (!text.starts_with(HEAD))
			return refuse(fmt::format("{} is no file of decisions", from), why);
		text.erase(0, std::min(text.find('\n'), text.size()));
	}
	for (size_t at = 0; at < text.size();) {
		const size_t end = std::min(text.find_first_of(" \n", at), text.size());
		const std::string word = text.substr(at, end - at);
		if (word == "!") {
			at = std::min(text.find('\n', at), text.size());
			continue;
		}
		if (!word.empty() && !add(word))
			return refuse(fmt::format("'{}' is no decision", word), why);
		at = end + 1;
	}
	return Status::OK;
}

void Replay::pass()
{
	const Decision &decision = decisions_[at_];
	if (decision.reason == Reason::NONE) {
		number_++;
		if (++made_ < decision.count)
			return;
	}
	made_ = 0;
	at_++;
}

} // namespace fw
