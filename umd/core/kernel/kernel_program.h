// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/sync/mutex.h"

namespace umd {

/** struct SourceHeader - a header that the source of a program includes: its name, and its text. */
struct SourceHeader {
	std::string name;
	std::string text;
};

/**
 * class KernelProgram - source of kernels that is compiled while the program runs. The compiler driver of the toolkit
 * makes an image of it, in a folder that is gone afterwards. Context: the caller holds @mutex.
 */
class KernelProgram {
public:
	/** enum class Ending - how a compilation has ended. */
	enum class Ending { GOOD, BAD_OPTION, BAD_SOURCE, BAD_LINK, NO_COMPILER };

	KernelProgram(std::string source, std::string name, std::vector<SourceHeader> headers)
		: source_(std::move(source)), name_(std::move(name)), headers_(std::move(headers))
	{
	}

	/** add_expression() - the image has the kernel that @expression names. Context: before compile(). */
	void add_expression(const std::string &expression) { names_[expression]; }

	/** compile() - compiles the source. @options: options of the compiler. Return: if it is not GOOD,
	 * log() tells why. */
	Ending compile(const std::vector<std::string> &options) REQUIRES(mutex);

	/** is_compiled() - whether compile() was called. image() - the image; empty if the last compilation
	 * failed. */
	bool is_compiled() const { return is_compiled_; }
	const std::string &image() const { return image_; }
	const std::string &log() const { return log_; }

	/** find_name() - the name of the kernel that an expression names; nullptr: it was not added, or the
	 * program has no image. */
	const std::string *find_name(const std::string &expression) const;

	base::Mutex mutex{"KernelProgram::mutex"};

private:
	bool check_options(const std::vector<std::string> &options);
	std::string whole_source() const;
	void take_names();
	Ending run_driver(const std::string &folder, const std::vector<std::string> &options);

	const std::string source_;
	const std::string name_;
	const std::vector<SourceHeader> headers_;
	std::map<std::string, std::string> names_; /* indexed by expression */
	bool is_compiled_ = false;
	std::string image_;
	std::string log_;
};

} // namespace umd
