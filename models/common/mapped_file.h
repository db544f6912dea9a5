// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "problems.h"

namespace models {

/*
 * class MappedFile - the bytes of a regular file, read only. Whoever has a view of these bytes keeps the object
 * alive. If another program truncates the file meanwhile, an access fails, as in each mapping.
 */
class MappedFile {
public:
	/* open() - Return: nullptr, with the problem added. */
	static std::shared_ptr<const MappedFile> open(const std::string &path, Problems &problems);

	/* open_beside() - opens the file @name in the folder @folder. @name must lead to a regular file inside of
	 * the folder: it has no absolute path, no ".." and no symbolic links. @folder: "" is the current one */
	static std::shared_ptr<const MappedFile> open_beside(const std::string &folder,
							     std::string_view name,
							     Problems &problems);

	~MappedFile();
	MappedFile(const MappedFile &) = delete;
	MappedFile &operator=(const MappedFile &) = delete;

	std::string_view bytes() const { return bytes_; }

private:
	explicit MappedFile(std::string_view bytes) : bytes_(bytes) {}
	static std::shared_ptr<const MappedFile> map(int descriptor, const std::string &path,
						     Problems &problems);

	std::string_view bytes_;
};

} // namespace models
