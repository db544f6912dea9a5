// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "dump.h"

namespace umd {

/**
 * class DumpFile - one file of a dump, or what a program takes instead. A failure is kept: what comes
 * after it is dropped.
 */
class DumpFile {
public:
	/* @taker: nullptr for a file */
	DumpFile(std::string path, const DumpTaker *taker) : path_(std::move(path)), taker_(taker)
	{
	}
	~DumpFile();
	DumpFile(const DumpFile &) = delete;
	DumpFile &operator=(const DumpFile &) = delete;

	/** put() - the next bytes; the last ones complete the file.
	 * Return: false after a failure, see why(). */
	bool put(const void *bytes, size_t size, bool last);
	bool put(const std::string &text) { return put(text.data(), text.size(), true); }

	/** give_up() - the file cannot be completed; what is there of it goes. */
	void give_up(const std::string &why);

	bool failed() const { return !why_.empty(); }
	const std::string &why() const { return why_; }

private:
	bool open();
	bool write_all(const std::byte *bytes, size_t size);

	const std::string path_;
	const DumpTaker *const taker_;
	int fd_ = -1;
	int64_t offset_ = 0;
	std::string why_;
};

/** make_folder() - with those above it. Return: whether it is there and can be written to. */
bool make_folder(const std::string &path);

/** npy_header() - what stands in front of the elements in a .npy file. */
std::string npy_header(const DumpTensor &tensor);

/** role_name() - as it stands in names of files. */
const char *role_name(DumpTensor::Role role);

/** describe_operator(), describe_run() - as JSON; the second one says which launch it was.
 * @note: of the program, may be empty */
std::string describe_operator(const DumpOperator &op);
std::string describe_run(const DumpRun &run, const std::string &note);

/** describe_saved() - as JSON, what the program has saved. @tag: of the program, may be empty */
std::string describe_saved(const std::string &tag, const std::vector<DumpTensor> &tensors);

} // namespace umd
