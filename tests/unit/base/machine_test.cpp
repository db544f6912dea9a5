// SPDX-License-Identifier: MIT
/**
 * DOC: Where the files of the toolkit are looked for
 */
#include "base/os/machine.h"

#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/auxv.h>

#include "folder.h"

namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const void *own_code()
{
	return reinterpret_cast<const void *>(&own_code);
}

/* A working folder with a file that must not be taken. */
class ToolkitPlaces : public testing::Test {
protected:
	ToolkitPlaces() : before_(fs::current_path())
	{
		std::ofstream(folder_.file("planted")) << "text";
		fs::current_path(folder_.path());
	}
	~ToolkitPlaces() override { fs::current_path(before_); }

	const fs::path before_;
	const Folder folder_;
	const fs::path program_ = fs::canonical("/proc/self/exe");
};

TEST_F(ToolkitPlaces, AreThoseOfTheFileThatTheKernelNames)
{
	EXPECT_EQ(base::file_of(own_code()), program_);
	EXPECT_EQ(base::toolkit_folder(own_code()), program_.parent_path().parent_path());
	const fs::path libc = base::file_of(reinterpret_cast<const void *>(&fclose));
	EXPECT_TRUE(libc.is_absolute());
	EXPECT_EQ(libc, fs::canonical(libc));
}

TEST_F(ToolkitPlaces, AreNoneForMemoryWithoutAFile)
{
	const auto data = std::make_unique<char[]>(64);
	EXPECT_EQ(base::file_of(data.get()), "");
	EXPECT_EQ(base::toolkit_folder(data.get()), "");
	EXPECT_EQ(base::toolkit_file(data.get(), "bin", "planted"), "");
	std::string why;
	EXPECT_EQ(base::toolkit_program(data.get(), "planted", "UNPU_PLANTED", "", why), "");
	EXPECT_THAT(why, HasSubstr("set UNPU_PLANTED"));
}

/* What the kernel calls mappings without a file may also be names of files. */
TEST_F(ToolkitPlaces, AreNoFilesThatAreNamedLikeMappings)
{
	for (const char *name : {"[vdso]", "[stack]", "[heap]"})
		std::ofstream(folder_.file(name)) << "text";
	const int on_stack = 0;
	const auto on_heap = std::make_unique<char>();
	const auto *vdso = reinterpret_cast<const void *>(getauxval(AT_SYSINFO_EHDR));
	for (const void *address :
	     {vdso, static_cast<const void *>(&on_stack), static_cast<const void *>(on_heap.get())})
		EXPECT_EQ(base::file_of(address), "");
}

TEST_F(ToolkitPlaces, AreNotTheWorkingFolder)
{
	const fs::path toolkit = program_.parent_path().parent_path();
	EXPECT_EQ(base::toolkit_file(own_code(), "lib64", "planted"), toolkit / "lib64/planted");
	EXPECT_EQ(base::toolkit_file(own_code(), "lib64", program_.filename().c_str()), program_);
	std::string why;
	EXPECT_EQ(base::toolkit_program(own_code(), "planted", "UNPU_PLANTED", "", why),
		  toolkit / "bin/planted");
}

TEST_F(ToolkitPlaces, OfAVariableAreAbsolute)
{
	std::string why;
	EXPECT_EQ(base::toolkit_program(own_code(), "planted", "UNPU_PLANTED", "/a/program", why),
		  "/a/program");
	EXPECT_EQ(why, "");
	for (const char *relative : {"planted", "./planted", "../planted"}) {
		EXPECT_EQ(base::toolkit_program(own_code(), "x", "UNPU_PLANTED", relative, why),
			  "");
		EXPECT_THAT(why, HasSubstr("UNPU_PLANTED is '" + std::string(relative) + "'"));
	}
}

} // namespace
