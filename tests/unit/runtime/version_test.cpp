// SPDX-License-Identifier: MIT
/**
 * DOC: Versions as text
 *
 * Texts of versions that this toolkit does not have: their parts, their order, and malformed ones.
 */
#include "umd/acl/version_text.h"

#include <gtest/gtest.h>

namespace {

using base::Status;
using umd::split_version;
using umd::version_number;

int32_t number(const char *text)
{
	auto found = version_number(text);
	EXPECT_TRUE(found) << text;
	return found ? *found : INT32_MIN;
}

TEST(VersionText, Parts)
{
	struct {
		const char *text;
		const char *major;
		const char *minor;
		const char *patch;
		const char *release;
	} versions[] = {
		{"8", "8", "", "", ""},
		{"8.5", "8", "5", "", ""},
		{"8.5.1", "8", "5", "1", ""},
		{"8.0.RC1", "8", "0", "", "RC1"},
		{"8.0.RC1.alpha002", "8", "0", "", "RC1.alpha002"},
		{"9.0.0-beta.2", "9", "0", "0", "beta.2"},
		{"9.0.0.7", "9", "0", "0", "7"},
		{"rc", "", "", "", "rc"},
		{"", "", "", "", ""},
	};
	for (const auto &version : versions) {
		umd::VersionParts parts = split_version(version.text);
		EXPECT_EQ(parts.major, version.major) << version.text;
		EXPECT_EQ(parts.minor, version.minor) << version.text;
		EXPECT_EQ(parts.patch, version.patch) << version.text;
		EXPECT_EQ(parts.release, version.release) << version.text;
	}
}

TEST(VersionText, Numbers)
{
	EXPECT_EQ(number("8.5.0"), 80500000);
	EXPECT_EQ(number("8.5.12"), 80512000);
	EXPECT_EQ(number("12.34.56"), 123456000);
	EXPECT_EQ(number("8.5.0.alpha001"), 80500000 - 299);
	EXPECT_EQ(number("8.5.0-alpha.2"), 80500000 - 298);
	EXPECT_EQ(number("8.5.0.beta.3"), 80500000 - 197);
	EXPECT_EQ(number("8.5.RC1"), 80500000 - 99);
	EXPECT_EQ(number("8.5"), 80500000);
}

TEST(VersionText, NumbersGrowWithTheVersion)
{
	const char *versions[] = {"8.4.9",	 "8.5.0.alpha1", "8.5.0.alpha2", "8.5.0.beta1",
				  "8.5.0.beta9", "8.5.0.rc1",	 "8.5.0.RC2",	 "8.5.0",
				  "8.5.1.alpha", "8.5.1",	 "8.10.0",	 "9.0.0"};
	for (size_t i = 1; i < std::size(versions); i++)
		EXPECT_LT(number(versions[i - 1]), number(versions[i])) << versions[i];
}

TEST(VersionText, WhatHasNoNumber)
{
	for (const char *text :
	     {"", "x", "rc1", ".5", "100.0.0", "8.100", "8.5.1000", "99999999999.0"})
		EXPECT_EQ(version_number(text).status(), Status::BAD_FILE) << text;
}

TEST(VersionText, TheLineOfAFile)
{
	EXPECT_EQ(umd::find_version("version=8.5.0\n"), "8.5.0");
	EXPECT_EQ(umd::find_version("name=x\nVersion=1.2 \r\nversion=3"), "1.2");
	EXPECT_EQ(umd::find_version("a_version=1\nversion=2"), "2");
	EXPECT_EQ(umd::find_version("version="), "");
	EXPECT_EQ(umd::find_version("version"), "");
	EXPECT_EQ(umd::find_version(""), "");
}

} // namespace
