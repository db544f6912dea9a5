// SPDX-License-Identifier: MIT
#ifndef UNPU_KERNELS_COMPILER_FILES_H
#define UNPU_KERNELS_COMPILER_FILES_H

#include <stdexcept>
#include <string>

namespace compiler {

// An error that has no place in a source.
struct ToolError : std::runtime_error {
	using std::runtime_error::runtime_error;
};

// The whole file. Throws ToolError.
std::string read_file(const std::string &path);

// Makes the folders above it, too. Throws ToolError.
void write_file(const std::string &path, const std::string &text);

// The same, but leaves a file alone that has the text already, so that nothing is built again because of it.
void write_file_if_changed(const std::string &path, const std::string &text);

// A lock on a folder that exists: other drivers wait while this object lives.
class FolderLock {
public:
	explicit FolderLock(const std::string &folder);
	~FolderLock();
	FolderLock(const FolderLock &) = delete;
	FolderLock &operator=(const FolderLock &) = delete;

private:
	int file_;
};

// A folder for intermediate files: @keep, or a temporary one that the destructor removes.
class WorkFolder {
public:
	explicit WorkFolder(const std::string &keep);
	~WorkFolder();
	WorkFolder(const WorkFolder &) = delete;
	WorkFolder &operator=(const WorkFolder &) = delete;

	std::string path(const std::string &name) const { return folder_ + "/" + name; }

private:
	std::string folder_;
	bool is_kept_;
};

} // namespace compiler

#endif // UNPU_KERNELS_COMPILER_FILES_H
