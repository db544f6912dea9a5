// SPDX-License-Identifier: MIT
/**
 * DOC: Files of the driver
 */
#include "kernels/compiler/files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "base/os/calls/files.h"

namespace compiler {

namespace fs = std::filesystem;

std::string read_file(const std::string &path)
{
	std::ifstream file(path, std::ios::binary);
	std::ostringstream text;
	if (file)
		text << file.rdbuf();
	if (!file)
		throw ToolError(path + " cannot be read: " + std::strerror(errno));
	return text.str();
}

void write_file(const std::string &path, const std::string &text)
{
	const fs::path folder = fs::path(path).parent_path();
	std::error_code ignored;
	if (!folder.empty())
		fs::create_directories(folder, ignored);
	std::ofstream file(path, std::ios::binary | std::ios::trunc);
	file << text;
	file.close();
	if (!file)
		throw ToolError(path + " cannot be written: " + std::strerror(errno));
}

void write_file_if_changed(const std::string &path, const std::string &text)
{
	if (!fs::exists(path) || read_file(path) != text)
		write_file(path, text);
}

FolderLock::FolderLock(const std::string &folder)
	: file_(base::calls::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
	if (file_ >= 0)
		(void)base::calls::lock(file_, LOCK_EX);
}

FolderLock::~FolderLock()
{
	if (file_ >= 0)
		base::calls::close(file_);
}

WorkFolder::WorkFolder(const std::string &keep) : folder_(keep), is_kept_(!keep.empty())
{
	if (is_kept_) {
		fs::create_directories(folder_);
		return;
	}
	std::string name = (fs::temp_directory_path() / "unpu-ascendcc-XXXXXX").string();
	if (mkdtemp(name.data()) == nullptr)
		throw ToolError(name + " cannot be made: " + std::strerror(errno));
	folder_ = name;
}

WorkFolder::~WorkFolder()
{
	std::error_code ignored;
	if (!is_kept_)
		fs::remove_all(folder_, ignored);
}

} // namespace compiler
