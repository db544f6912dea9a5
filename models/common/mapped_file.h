// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "problems.h"

namespace models {

/*
 * class MappedFile - the bytes of a regular file, read only. Whoever has a view into them keeps the object. As any
 * mapping, it is lost if another program cuts the file off meanwhile.
 */
class MappedFile {
public:
	/* open() - Return: nullptr, with the problem added. */
	static std::shared_ptr<const MappedFile> open(const std::string &path, Problems &problems);

	/* open_beside() - the file @name of the folder @folder, which has to be the name of a regular file inside of
	 * it: no absolute path, no "..", and no symbolic link on the way. @folder: "" is the current one */
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
