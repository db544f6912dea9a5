// SPDX-License-Identifier: MIT
/**
 * DOC: Texts of unpu-ascendcc
 *
 * Sources as they come out of the preprocessor, and what the driver makes of them.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "kernels/compiler/process.h"
#include "kernels/compiler/text/errors.h"
#include "kernels/compiler/text/headers.h"
#include "kernels/compiler/text/rewrite.h"
#include "tests/common/folder.h"

using namespace compiler;

static Findings find(const std::string &text)
{
	return find_kernels(tokens_of(text));
}

// The text of the host object without what is added for the file.
static std::string host(const std::string &text)
{
	const std::string out = host_text(text, find(text), "image.so");
	return out.substr(0, out.find("\n# 1 \"<unpu-ascendcc>\""));
}

TEST(Lexer, KeepsLiteralsTogether)
{
	const std::string text = "R\"x(a \" <<< )\" )x\" u8\"b\\\"\" 'c' 1'000 0x1p-3 L'\\'' /* "
				 "<<< */ a::b // <<<\n#pragma x\n";
	std::vector<std::string> words;
	for (const Token &token : tokens_of(text))
		words.emplace_back(token.text);
	EXPECT_EQ(words,
		  (std::vector<std::string>{"R\"x(a \" <<< )\" )x\"", "u8\"b\\\"\"", "'c'", "1'000",
					    "0x1p-3", "L'\\''", "a", "::", "b", "#pragma x"}));
}

TEST(Lexer, EndsAtTheEndOfWrongTexts)
{
	for (const char *text :
	     {"\"open", "'", "R\"(open", "R\"", "/* open", "#", "<<<", "a <<< ( "})
		EXPECT_NO_THROW(tokens_of(text)) << text;
}

TEST(Launch, BecomesAnExpression)
{
	EXPECT_EQ(host("int s = k<<<8, nullptr, st>>>(x, y);"),
		  "int s =  ::unpu::launch<&k>(8, nullptr, st)(x, y);");
	EXPECT_EQ(host("else ns::k<20, float><<<b, nullptr, s>>>(x);"),
		  "else  ::unpu::launch_instance<&ns::k<20, float>>(b, nullptr, s)(x);");
	EXPECT_EQ(host("return ::k<<<f(1, g<A<B<int>>>(2)), nullptr, s>>>(x);"),
		  "return  ::unpu::launch<&::k>(f(1, g<A<B<int>>>(2)), nullptr, s)(x);");
	EXPECT_EQ(
		host("case 1: k<(3 > 2), N><<<n >> 1, nullptr, s>>>(x); break;"),
		"case 1:  ::unpu::launch_instance<&k<(3 > 2), N>>(n >> 1, nullptr, s)(x); break;");
}

TEST(Launch, IsNotSeenInTextsAndTemplates)
{
	for (const char *text :
	     {"s = \"k<<<1, 2, 3>>>(x)\";", "s = R\"(k<<<1>>>(x))\";", "a::b<c<d<int>>> e;",
	      "friend S &operator<<<T>(S &, T);", "x << y >> z;"})
		EXPECT_EQ(host(text), text);
}

TEST(Launch, WithoutANameIsAnError)
{
	for (const char *text : {"<<<1, 2, 3>>>(x);", "(k)<<<1, 2, 3>>>(x);", "return <<<1>>>(x);",
				 "k<<<1, 2, 3>>;", "k<<<1"})
		EXPECT_THROW(find(text), SourceError) << text;
}

TEST(Kernel, HasNameScopeAndParameters)
{
	const Findings found = find(
		"namespace a::b { namespace { extern \"C\" { __global__ void k(uint8_t *x, "
		"const ns::T t, unsigned int, float y = f(1, 2), int z[3]) { if (x) { } } } } }");
	ASSERT_EQ(found.kernels.size(), 1u);
	const Kernel &kernel = found.kernels[0];
	EXPECT_EQ(kernel.name, "k");
	EXPECT_EQ(kernel.scope, "a::b::");
	EXPECT_TRUE(kernel.is_local);
	EXPECT_TRUE(kernel.has_entry());
	std::string params;
	for (const Param &param : kernel.params)
		params += param.type + "|" + param.name + ";";
	EXPECT_EQ(params, "uint8_t*|x;const ns::T|t;unsigned int|arg2;float|y;int*|z;");
}

TEST(Kernel, LosesTheAttributeOfTheDevice)
{
	/* Of a macro of a header: line markers stand between its words. */
	EXPECT_EQ(host("struct S { \n# 1 \"h\" 3\n[aicore]\n# 1 \"s\"\n S(); };"),
		  "struct S { \n# 1 \"h\" 3\n\n# 1 \"s\"\n S(); };");
	EXPECT_EQ(host("auto f = [&]() [aicore] { return a[aicore] + b[aicore]; };"),
		  "auto f = [&]()  { return a[aicore] + b[aicore]; };");
}

TEST(Kernel, OfATemplateHasNoEntryOfItsOwn)
{
	const Findings found = find("template <int N, typename T> __global__ void k(T *) {}\n"
				    "template __global__ void k<1, float>(float *);\n"
				    "template <> __global__ void k<2, int>(int *) {}\n"
				    "__global__ void only_declared(int *);\n");
	ASSERT_EQ(found.kernels.size(), 4u);
	EXPECT_FALSE(found.kernels[0].has_entry());
	EXPECT_TRUE(found.kernels[1].has_entry());
	EXPECT_EQ(found.kernels[1].arguments, "<1, float>");
	EXPECT_TRUE(found.kernels[2].has_entry());
	EXPECT_FALSE(found.kernels[3].has_entry());
}

TEST(Kernel, LosesItsBodyOnTheHostAndKeepsItsLines)
{
	const std::string text = "# 5 \"k.cpp\"\n__global__ void k(int *x)\n{\n\tasm "
				 "volatile(\"trap\");\n} int after;\n";
	EXPECT_EQ(host(text),
		  "# 5 \"k.cpp\"\n           void k(int *x)\n"
		  "{ ::unpu::called_image = ::unpu::file_image; }\n# 8 \"k.cpp\"\n int after;\n");
	const std::string image = image_text(text, find(text));
	EXPECT_NE(image.find("\t::unpu::lang::trap();\n} [[gnu::used]] static constexpr "
			     "::unpu::Shape unpu_shape_0_ = "
			     "::unpu::ShapeOf<&k>::get(); int after;"),
		  std::string::npos)
		<< image;
}

TEST(Kernel, DeclaresItsCores)
{
	const std::string text =
		"void f() { ::unpu::lang::declare_task_type_for((1, 2), ::A::MIX); }";
	EXPECT_EQ(host(text), "void f() { ::unpu::declare_type<(unsigned int)(::A::MIX)>(); }");
}

TEST(Places, FollowLineMarkers)
{
	const std::string text = "# 1 \"a.cpp\"\nx\n# 40 \"b.h\" 1 3\ny\nz\n";
	const Place place = place_of(text, text.find('z'));
	EXPECT_EQ(place.file, "b.h");
	EXPECT_EQ(place.line, 41u);
}

TEST(Errors, AreTenLinesAtMost)
{
	const std::string few = "k.cpp:3:4: error: one\n  3 | x\n";
	EXPECT_EQ(shortened(few), few);

	std::string trace = "add.h: In instantiation of 'void Add()':\n";
	for (int i = 0; i < 20; i++)
		trace += "add.h:" + std::to_string(i) + ":1:   required from 'void f()'\n";
	trace += "k.cpp:7:9:   required from here\nadd.h:5:5: error: no such type\n  5 | int\n";
	EXPECT_EQ(shortened(trace),
		  "k.cpp:7:9:   required from here\nadd.h:5:5: error: no such type\n"
		  "unpu-ascendcc: 2 of 24 lines of the compiler; --verbose shows all\n");

	std::string many;
	for (int i = 0; i < 50; i++)
		many += "k.cpp:1:1: error: " + std::to_string(i) + "\n";
	const std::string kept = shortened(many);
	EXPECT_EQ(std::count(kept.begin(), kept.end(), '\n'), 10);
	EXPECT_EQ(kept.find("k.cpp:1:1: error: 0\n"), 0u);
	EXPECT_NE(kept.find("9 of 50 lines"), std::string::npos);
}

// A compiler that answers as @line of a shell says.
static std::string make_compiler(const Folder &folder, const std::string &line)
{
	const std::string path = folder.file("compiler");
	std::ofstream(path) << "#!/bin/sh\n" << line << "\n";
	std::filesystem::permissions(path, std::filesystem::perms::owner_all);
	return path;
}

TEST(Tools, AreThoseOfTheCompiler)
{
	const Folder folder;
	const std::string says =
		make_compiler(folder, "[ $1 = -print-prog-name=objcopy ] && echo /cross/objcopy");
	EXPECT_EQ(tool_of(says, "objcopy"), "/cross/objcopy");
	EXPECT_EQ(tool_of(says, "nm"), "nm");
	EXPECT_EQ(tool_of(make_compiler(folder, "echo /cross/nm; exit 1"), "nm"), "nm");
	EXPECT_EQ(tool_of(folder.file("no compiler"), "nm"), "nm");
}
