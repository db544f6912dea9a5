// SPDX-License-Identifier: MIT
/*
 * DOC: files of dumps, as a test reads them
 */
#ifndef UNPU_TESTS_CONFORMANCE_NPY_H
#define UNPU_TESTS_CONFORMANCE_NPY_H

#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace conformance {

/* A .npy file, version 1.0: an array of one type in row-major order. */
struct Npy {
	std::string type;
	std::string shape; /* as it is written: "2, 3" */
	std::string elements;

	template <typename T> std::vector<T> as() const
	{
		std::vector<T> values(elements.size() / sizeof(T));

		std::memcpy(values.data(), elements.data(), values.size() * sizeof(T));
		return values;
	}
};

/* The text between two texts; "" and a test failure if there is none. */
inline std::string between(const std::string &text, const std::string &before,
			   const std::string &after)
{
	const size_t start = text.find(before);
	const size_t end =
		start == std::string::npos ? start : text.find(after, start + before.size());

	EXPECT_NE(end, std::string::npos) << "no " << before << " in " << text;
	if (end == std::string::npos)
		return "";
	return text.substr(start + before.size(), end - start - before.size());
}

inline Npy parse_npy(const std::string &bytes)
{
	Npy npy;

	EXPECT_EQ(bytes.substr(0, 8), std::string("\x93NUMPY\x01\x00", 8));
	if (bytes.size() < 10)
		return npy;
	const size_t length = static_cast<unsigned char>(bytes[8]) +
			      static_cast<size_t>(static_cast<unsigned char>(bytes[9])) * 256;

	EXPECT_EQ((10 + length) % 64, 0u);
	if (bytes.size() < 10 + length)
		return npy;
	const std::string header = bytes.substr(10, length);

	EXPECT_EQ(header.back(), '\n');
	EXPECT_EQ(between(header, "'fortran_order': ", ","), "False");
	npy.type = between(header, "'descr': '", "'");
	npy.shape = between(header, "'shape': (", ")");
	npy.elements = bytes.substr(10 + length);
	return npy;
}

inline std::string read_file(const std::filesystem::path &path)
{
	std::ifstream file(path, std::ios::binary);
	std::ostringstream whole;

	whole << file.rdbuf();
	return whole.str();
}

/* All files below a folder: the path below it, and the contents. */
inline std::map<std::string, std::string> files_below(const std::string &folder)
{
	std::map<std::string, std::string> files;

	for (const auto &entry : std::filesystem::recursive_directory_iterator(folder)) {
		if (entry.is_regular_file())
			files[std::filesystem::relative(entry.path(), folder).string()] =
				read_file(entry.path());
	}
	return files;
}

} // namespace conformance

#endif
