// SPDX-License-Identifier: MIT
/*
 * DOC: Tests of the library as a runtime loads it
 */
#include <dlfcn.h>
#include <gtest/gtest.h>

#include "models/models_library.h"

namespace {

TEST(Library, HasOneNameAndAnswersItsVersion)
{
	void *library = dlopen(UNPU_MODELS_LIBRARY, RTLD_NOW | RTLD_LOCAL);
	ASSERT_TRUE(library) << dlerror();
	const auto find = reinterpret_cast<decltype(&unpu_models_library)>(
		dlsym(library, "unpu_models_library"));
	ASSERT_TRUE(find);
	EXPECT_EQ(find("0.0.0"), nullptr);
	const models::Library *functions = find(UNPU_VERSION_TEXT);
	ASSERT_TRUE(functions);
	models::om::Face face;
	models::Problems problems;
	EXPECT_EQ(functions->read("IMOD", nullptr, face, problems), nullptr);
	ASSERT_EQ(problems.list().size(), 1u);
	EXPECT_STREQ(problems.list()[0].code, models::om::not_ours);
	dlclose(library);
}

} // namespace
