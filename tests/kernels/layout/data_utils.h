/* SPDX-License-Identifier: MIT */
/*
 * DOC: Files of numbers, and calls that have to succeed
 */
#ifndef DATA_UTILS_H
#define DATA_UTILS_H

#include <cstdio>
#include <fstream>
#include <string>

#define CHECK_ACL(x) \
	do { \
		const int error = x; \
		if (error != 0) \
			printf("%s:%d aclError:%d\n", __FILE__, __LINE__, error); \
	} while (0)

inline bool ReadFile(const std::string &path, size_t &read, void *buffer, size_t size)
{
	std::ifstream file(path, std::ios::binary);
	read = file.read(static_cast<char *>(buffer), std::streamsize(size)) ? size : 0;
	return read == size;
}

inline bool WriteFile(const std::string &path, const void *buffer, size_t size)
{
	std::ofstream file(path, std::ios::binary);
	return bool(file.write(static_cast<const char *>(buffer), std::streamsize(size)));
}

#endif
