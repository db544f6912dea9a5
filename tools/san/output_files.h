// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace san::tool {

/** complain() - prints one line on standard error. Return: @code. */
int complain(const std::string &text, int code);

/** class File - the bytes of a file in memory; an object can't be copied. */
class File {
public:
	/** @path: a regular file. If it can't be read, problem() returns the reason. */
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

/** write_file() - writes a file. Return: why the file can't be written, or an empty text. */
std::string write_file(const std::string &path, const std::string &text);

/** class Folder - a new empty folder in the folder for temporary files. The destructor removes it.. */
class Folder {
public:
	Folder();
	~Folder();
	Folder(const Folder &) = delete;
	Folder &operator=(const Folder &) = delete;

	/** path() - empty if the folder could not be made. */
	const std::string &path() const { return path_; }

private:
	std::string path_;
};

} // namespace san::tool
