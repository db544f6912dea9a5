/* SPDX-License-Identifier: MIT */
/*
 * DOC: a folder of a test's own
 */
#ifndef UNPU_TESTS_FOLDER_H
#define UNPU_TESTS_FOLDER_H

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

/* A folder of its own for the test. The destructor removes it with its content. */
class Folder {
public:
	Folder()
	{
		char name[] = "/tmp/unpu-test-XXXXXX";

		if (!mkdtemp(name)) {
			perror("a folder of a test's own");
			abort();
		}
		path_ = name;
	}
	~Folder()
	{
		std::error_code gone_already;

		std::filesystem::remove_all(path_, gone_already);
	}
	Folder(const Folder &) = delete;
	Folder &operator=(const Folder &) = delete;

	std::string file(const std::string &name) const { return path_ + "/" + name; }
	const std::string &path() const { return path_; }

private:
	std::string path_;
};

#endif
