// SPDX-License-Identifier: MIT
/*
 * DOC: Mapped files
 *
 * Models are large, and most of their bytes are weights that go from one file to another. A mapping has no copy of
 * them.
 */
#include "mapped_file.h"

#include <cerrno>
#include <cstring>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/os/calls/files.h"

namespace models {

namespace {

bool fail(Problems &problems, const std::string &path, const std::string &why)
{
	return problems.add(no_file, "file " + path + " " + why);
}

/* open_inside() - opens the parts of the path one after the other. None of them may be a symbolic link. */
int open_inside(int folder, const std::string &name)
{
	int at = folder;
	for (size_t begin = 0;;) {
		const size_t end = name.find('/', begin);
		const bool is_last = end == std::string::npos;
		const std::string part = "/proc/self/fd/" + std::to_string(at) + "/" +
					 name.substr(begin, is_last ? end : end - begin);
		const int flags = O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK |
				  (is_last ? 0 : O_DIRECTORY);
		const int next = base::calls::open(part.c_str(), flags);
		const int reason = errno;
		if (at != folder)
			base::calls::close(at);
		errno = reason;
		if (is_last || next < 0)
			return next;
		at = next;
		begin = end + 1;
	}
}

/* has_plain_parts() - whether no part of a relative path is empty, "." or "..". */
bool has_plain_parts(std::string_view name)
{
	while (true) {
		const size_t end = name.find('/');
		const std::string_view part = name.substr(0, end);
		if (part.empty() || part == "." || part == "..")
			return false;
		if (end == std::string_view::npos)
			return true;
		name.remove_prefix(end + 1);
	}
}

} // namespace

std::shared_ptr<const MappedFile> MappedFile::map(int descriptor, const std::string &path,
						  Problems &problems)
{
	struct stat status {};
	if (descriptor < 0) {
		fail(problems, path, std::string("can't be opened: ") + std::strerror(errno));
		return nullptr;
	}
	const bool is_regular = fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
	const auto size = static_cast<size_t>(status.st_size);
	void *at = nullptr;
	if (is_regular && size > 0)
		at = mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
	const int reason = errno;
	base::calls::close(descriptor);
	if (!is_regular || size == 0 || at == MAP_FAILED) {
		fail(problems, path,
		     !is_regular ? "is not a regular file"
		     : size == 0 ? "is empty"
				 : std::string("can't be mapped: ") + std::strerror(reason));
		return nullptr;
	}
	return std::shared_ptr<const MappedFile>(
		new MappedFile({static_cast<const char *>(at), size}));
}

std::shared_ptr<const MappedFile> MappedFile::open(const std::string &path, Problems &problems)
{
	return map(base::calls::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK), path,
		   problems);
}

std::shared_ptr<const MappedFile> MappedFile::open_beside(const std::string &folder,
							  std::string_view name, Problems &problems)
{
	const std::string text(name);
	while (name.starts_with("./"))
		name.remove_prefix(2);
	if (name.find('\0') != std::string_view::npos) {
		fail(problems, text.substr(0, text.find('\0')),
		     "has a zero behind this part of its name, which no name of a file has");
		return nullptr;
	}
	if (!has_plain_parts(name)) {
		fail(problems, text,
		     "is not inside of the model's folder; external data must lie there, by a "
		     "relative path without '..'");
		return nullptr;
	}
	const int base_folder = base::calls::open(folder.empty() ? "." : folder.c_str(),
						  O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (base_folder < 0)
		return map(base_folder, folder, problems);
	const int opened = open_inside(base_folder, std::string(name));
	const int reason = errno;
	base::calls::close(base_folder);
	errno = reason;
	return map(opened, text, problems);
}

MappedFile::~MappedFile()
{
	munmap(const_cast<char *>(bytes_.data()), bytes_.size());
}

} // namespace models
