// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "dump.h"

namespace umd {

/**
 * class DumpFile - one file of a dump, or the pieces that a program receives instead. After a failure all
 * further data is dropped.
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

	/** put() - writes the next bytes. The last bytes complete the file.
	 * Return: false after a failure; why() tells the reason. */
	bool put(const void *bytes, size_t size, bool last);
	bool put(const std::string &text) { return put(text.data(), text.size(), true); }

	/** give_up() - removes the file, which can't be completed. */
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

/** file_part() - @name as a part of the name of a file. */
std::string file_part(std::string name);

/** make_folder() - makes a folder and its parent folders. Return: whether the folder exists and is
 * writable. */
bool make_folder(const std::string &path);

/** npy_header() - the header of a .npy file. */
std::string npy_header(const DumpTensor &tensor);

/** role_name() - the name of a role in file names. */
const char *role_name(DumpTensor::Role role);

/** describe_operator(), describe_run() - describe an operator as JSON; the second one also tells which launch
 * it was.
 * @note: a note of the program, may be empty */
std::string describe_operator(const DumpOperator &op);
std::string describe_run(const DumpRun &run, const std::string &note);

/** describe_saved() - describes a tensor that the program has saved, as JSON. @tag: a tag of the program, may
 * be empty */
std::string describe_saved(const std::string &tag, const std::vector<DumpTensor> &tensors);

} // namespace umd
