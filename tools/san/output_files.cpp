// SPDX-License-Identifier: MIT
/**
 * DOC: unpu-san: its files
 */
#include "output_files.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "san_options.h"

namespace san::tool {

int complain(const std::string &text, int code)
{
	fmt::print(stderr, "{}: {}\n", NAME, text);
	return code;
}

static std::string sentence(const std::string &path, int error)
{
	return fmt::format("{}: {}", path, std::generic_category().message(error));
}

File::File(const std::string &path)
{
	/* If the path is a pipe, the open does not wait for a writer, and the pipe is refused. */
	const int fd = base::calls::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat state = {};
	if (fd < 0 || fstat(fd, &state) != 0)
		problem_ = sentence(path, errno);
	else if (!S_ISREG(state.st_mode))
		problem_ = path + ": this is no regular file";
	const auto size = static_cast<size_t>(state.st_size);
	if (problem_.empty() && size > 0) {
		void *memory = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
		if (memory == MAP_FAILED)
			problem_ = sentence(path, errno);
		else
			bytes_ = {static_cast<const char *>(memory), size};
	}
	if (fd >= 0)
		base::calls::close(fd);
}

File::~File()
{
	if (!bytes_.empty())
		munmap(const_cast<char *>(bytes_.data()), bytes_.size());
}

std::string write_file(const std::string &path, const std::string &text)
{
	return base::calls::write_file(path.c_str(), text) ? "" : sentence(path, errno);
}

Folder::Folder()
{
	std::error_code error;
	const auto base = std::filesystem::temp_directory_path(error);
	std::string path = (base / "unpu-san-XXXXXX").string();
	if (!error && mkdtemp(path.data()))
		path_ = path;
}

Folder::~Folder()
{
	std::error_code error;
	if (!path_.empty())
		std::filesystem::remove_all(path_, error);
}

} // namespace san::tool
