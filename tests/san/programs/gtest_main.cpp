// SPDX-License-Identifier: MIT
/**
 * DOC: a program of GoogleTest with the listener of unpu/san_gtest.h
 *
 * Two of its tests race, the first and the last one. check_gtest.py looks for their names in the findings.
 */
#include <unpu/san_gtest.h>

#include "acl.h"

namespace {

class Copies : public testing::Test {
protected:
	void SetUp() override { OK(aclrtSetDevice(0)); }
	void TearDown() override
	{
		OK(aclrtSynchronizeDevice());
		OK(aclrtResetDevice(0));
	}
};

/* Fills memory in one stream, and copies it in another. */
void fill_and_copy(bool is_ordered)
{
	aclrtStream a = new_stream(), b = new_stream();
	char *x = new_memory(), *y = new_memory();
	aclrtEvent filled = new_event();
	fill(a, x);
	if (is_ordered) {
		record(filled, a);
		wait(b, filled);
	}
	copy(b, y, x);
}

} // namespace

TEST_F(Copies, BeginsWithARace)
{
	fill_and_copy(false);
}

TEST_F(Copies, HasTheOrder)
{
	fill_and_copy(true);
}

TEST_F(Copies, EndsWithARace)
{
	[] { fill_and_copy(false); }();
}

int main(int argc, char **argv)
{
	testing::InitGoogleTest(&argc, argv);
	testing::UnitTest::GetInstance()->listeners().Append(new unpu::SanTestListener);
	OK(aclInit(nullptr));
	const int code = RUN_ALL_TESTS();
	OK(aclFinalize());
	return code;
}
