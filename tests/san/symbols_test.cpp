// SPDX-License-Identifier: MIT
/**
 * DOC: sites in words: this program looks up its own functions
 */
#include <fstream>

#include <gtest/gtest.h>
#include <link.h>
#include <unistd.h>

#include "san/report/report.h"
#include "san/report/source_path.h"
#include "san/symbols/resolver.h"

using namespace san;

namespace {

int find_program(struct dl_phdr_info *info, size_t, void *base)
{
	/* The first object is the program itself. */
	*static_cast<uint64_t *>(base) = info->dlpi_addr;
	return 1;
}

std::string program_path()
{
	char path[4096] = {};
	const ssize_t bytes = readlink("/proc/self/exe", path, sizeof(path) - 1);
	return bytes > 0 ? path : "";
}

/* A frame as a recorder writes it. */
std::string frame_of(uint64_t address)
{
	uint64_t base = 0;
	dl_iterate_phdr(find_program, &base);
	char text[32];
	snprintf(text, sizeof(text), "+0x%lx", static_cast<unsigned long>(address - base));
	return program_path() + text;
}

/* The address of the call, as a recorder knows it, and the line that it is in. */
struct Called {
	uint64_t address = 0;
	uint32_t line = 0;
};

[[gnu::noinline]] uint64_t return_address()
{
	return reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1;
}

[[gnu::noinline]] Called call_from_a_function()
{
	Called called;
	called.line = __LINE__ + 1;
	called.address = return_address();
	return called;
}

[[gnu::always_inline]] inline Called call_from_an_inlined_function()
{
	Called called;
	called.line = __LINE__ + 1;
	called.address = return_address();
	return called;
}

[[gnu::noinline]] Called call_from_around_it(uint32_t *line)
{
	*line = __LINE__ + 1;
	const Called called = call_from_an_inlined_function();
	return called;
}

/* Compilers differ in whether the debug information has the namespace without a name. */
testing::AssertionResult is_named(const Frame &frame, const char *name)
{
	if (frame.function == name ||
	    frame.function == std::string("(anonymous namespace)::") + name)
		return testing::AssertionSuccess();
	return testing::AssertionFailure() << frame.function << ", not " << name;
}

} // namespace

TEST(Symbols, function_and_line_of_a_call)
{
	const Called called = call_from_a_function();
	Resolver resolver;
	const Stack stack = resolver.stack(frame_of(called.address));
	ASSERT_EQ(stack.size(), 1u);
	EXPECT_TRUE(is_named(stack[0], "call_from_a_function"));
	EXPECT_EQ(stack[0].line, called.line);
	EXPECT_NE(stack[0].file.find("tests/san/symbols_test.cpp"), std::string::npos)
		<< stack[0].file;
	EXPECT_EQ(stack[0].module, program_path());
	const std::string shown =
		"call_from_a_function() symbols_test.cpp:" + std::to_string(called.line);
	EXPECT_TRUE(place(stack).ends_with(shown)) << place(stack);
}

TEST(Symbols, inlined_functions_are_frames_of_their_own)
{
	uint32_t outer = 0;
	const Called called = call_from_around_it(&outer);
	Resolver resolver;
	const Stack stack = resolver.stack(frame_of(called.address));
	ASSERT_EQ(stack.size(), 2u);
	EXPECT_TRUE(is_named(stack[0], "call_from_an_inlined_function"));
	EXPECT_TRUE(stack[0].is_inlined);
	EXPECT_EQ(stack[0].line, called.line);
	EXPECT_TRUE(is_named(stack[1], "call_from_around_it"));
	EXPECT_FALSE(stack[1].is_inlined);
	EXPECT_EQ(stack[1].line, outer);
}

TEST(Symbols, what_is_unknown_stays_a_number)
{
	Resolver resolver;
	Stack stack = resolver.stack("/nowhere/libgone.so+0x1234\n?+0x10");
	ASSERT_EQ(stack.size(), 2u);
	EXPECT_EQ(stack[0].function, "");
	EXPECT_EQ(place(stack[0]), "libgone.so+0x1234");
	EXPECT_EQ(place(stack[1]), "?+0x10");
	/* A pipe or a device in place of a module is not opened. */
	stack = resolver.stack("/dev/zero+0x10");
	ASSERT_EQ(stack.size(), 1u);
	EXPECT_EQ(place(stack), "zero+0x10");
	stack = resolver.stack("/proc/self/exe+0xffffffffffffff");
	ASSERT_EQ(stack.size(), 1u);
	EXPECT_EQ(stack[0].function, "");
}

TEST(Symbols, a_file_that_is_no_program_has_no_functions)
{
	const std::string path = testing::TempDir() + "unpu-san-no-program";
	std::ofstream(path) << "no program";
	Resolver resolver;
	const Stack stack = resolver.stack(path + "+0x1");
	ASSERT_EQ(stack.size(), 1u);
	EXPECT_EQ(place(stack), "unpu-san-no-program+0x1");
	unlink(path.c_str());
}

TEST(Symbols, texts_of_other_recorders)
{
	Resolver resolver;
	const Stack stack = resolver.stack("/src/a/train.py:17 step\nloader.cc:4\nmain");
	ASSERT_EQ(stack.size(), 3u);
	EXPECT_EQ(stack[0].file, "/src/a/train.py");
	EXPECT_EQ(stack[0].line, 17u);
	EXPECT_EQ(stack[0].function, "step");
	EXPECT_EQ(place(stack[1]), "loader.cc:4");
	EXPECT_EQ(place(stack[2]), "main");
	EXPECT_TRUE(resolver.stack("").empty());
}

/* Programs have the toolkit's header inside of their own functions, and did not write it. */
TEST(Symbols, a_launch_begins_in_the_program)
{
	Resolver resolver;
	const std::string header = "/opt/unpu/include/unpu_launch.h:88 pack\n"
				   "build/<unpu-ascendcc>:8 aclrtlaunch_sum";
	const Stack stack = resolver.stack(header + "\n/src/sum.cpp:61 launch_sum\nmain");
	ASSERT_EQ(stack.size(), 2u);
	EXPECT_EQ(stack[0].function, "launch_sum");
	EXPECT_EQ(resolver.stack(header).size(), 2u);
}

TEST(Symbols, paths_with_spaces_and_colons)
{
	Resolver resolver;
	const Stack stack = resolver.stack(
		"/a b/c:1d/test it.py:17 <lambda>\n/a:9/b.py:3\nstd::sort\nf:1g\n:4");
	ASSERT_EQ(stack.size(), 5u);
	EXPECT_EQ(stack[0].file, "/a b/c:1d/test it.py");
	EXPECT_EQ(stack[0].line, 17u);
	EXPECT_EQ(stack[0].function, "<lambda>");
	EXPECT_EQ(stack[1].file, "/a:9/b.py");
	EXPECT_EQ(stack[1].line, 3u);
	for (size_t i = 2; i < stack.size(); i++) {
		EXPECT_EQ(stack[i].file, "");
		EXPECT_EQ(stack[i].line, 0u);
	}
}

TEST(Symbols, names_without_their_arguments)
{
	EXPECT_EQ(demangled("_ZN6loader4stepEiSt6vectorIiSaIiEE"), "loader::step");
	EXPECT_EQ(demangled("_ZNK1A1fEv"), "A::f");
	EXPECT_EQ(demangled("_ZN12_GLOBAL__N_11fEv"), "(anonymous namespace)::f");
	EXPECT_EQ(demangled("main"), "main");
	EXPECT_EQ(demangled("_Znotmangled"), "_Znotmangled");
}

TEST(Symbols, paths_below_the_sources)
{
	EXPECT_EQ(source_path("/src/app/main.cc", "/src/app"), "main.cc");
	EXPECT_EQ(source_path("/src/app/../app/x/y.cc", "/src/app"), "x/y.cc");
	EXPECT_EQ(source_path("/src/application/main.cc", "/src/app"), "");
	EXPECT_EQ(source_path("/usr/include/a.h", "/src/app"), "");
	EXPECT_EQ(source_path("x/y.cc", "/src/app"), "x/y.cc");
	EXPECT_EQ(source_path("", "/src/app"), "");
}
