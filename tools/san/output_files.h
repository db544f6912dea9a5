// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace san::tool {

/** complain() - one line on standard error. Return: @code. */
int complain(const std::string &text, int code);

/** class File - a file as bytes in memory, which is not copied. */
class File {
public:
	/** @path: a regular file. problem() says why it can't be read. */
	explicit File(const std::string &path);
	~File();
	File(const File &) = delete;
	File &operator=(const File &) = delete;

	std::span<const char> bytes() const { return bytes_; }
	const std::string &problem() const { return problem_; }

private:
	std::span<const char> bytes_;
	std::string problem_;
};

/** write_file() - Return: why it can't be written, or empty. */
std::string write_file(const std::string &path, const std::string &text);

/** class Folder - an empty folder of its own in the folder for temporary files, which goes with it. */
class Folder {
public:
	Folder();
	~Folder();
	Folder(const Folder &) = delete;
	Folder &operator=(const Folder &) = delete;

	/** path() - empty when it can't be made. */
	const std::string &path() const { return path_; }

private:
	std::string path_;
};

} // namespace san::tool
