// SPDX-License-Identifier: MIT
/*
 * DOC: versions of the toolkit's packages
 *
 * The three functions read one file for each package, so their answers agree. A package that is not
 * part of this toolkit has no version.
 */
#include "support/fixture.h"

using namespace conformance;

namespace {

constexpr const char *kInstalled[] = {"cann", "runtime", "toolkit", "opp", "driver", "firmware"};

std::string version_of(std::string package)
{
	char text[ACL_PKG_VERSION_MAX_SIZE] = "untouched";

	EXPECT_OK(aclsysGetVersionStr(package.data(), text));
	return text;
}

aclError read_version(std::string package)
{
	char text[ACL_PKG_VERSION_MAX_SIZE];

	return aclsysGetVersionStr(package.data(), text);
}

aclError read_number(std::string package)
{
	int32_t number = 0;

	return aclsysGetVersionNum(package.data(), &number);
}

} // namespace

TEST(Versions, EachPackageHasOne)
{
	for (const char *package : kInstalled) {
		const std::string text = version_of(package);
		int major = -1;
		int minor = -1;
		int patch = -1;

		ASSERT_EQ(sscanf(text.c_str(), "%d.%d.%d", &major, &minor, &patch), 3) << text;
		int32_t number = -1;

		EXPECT_OK(aclsysGetVersionNum(std::string(package).data(), &number));
		EXPECT_EQ(number, major * 10000000 + minor * 100000 + patch * 1000);
	}
}

TEST(Versions, PartsAreOfTheWhole)
{
	const struct {
		aclCANNPackageName name;
		const char *package;
	} packages[] = {
		{ACL_PKG_NAME_CANN, "cann"},	   {ACL_PKG_NAME_RUNTIME, "runtime"},
		{ACL_PKG_NAME_TOOLKIT, "toolkit"}, {ACL_PKG_NAME_OPP, "opp"},
		{ACL_PKG_NAME_DRIVER, "driver"},
	};

	for (const auto &row : packages) {
		aclCANNPackageVersion version;

		memset(&version, 0x5a, sizeof(version));
		EXPECT_OK(aclsysGetCANNVersion(row.name, &version));
		EXPECT_EQ(version.version, version_of(row.package));
		EXPECT_EQ(std::string(version.majorVersion) + "." + version.minorVersion + "." +
				  version.patchVersion,
			  version.version);
		EXPECT_STREQ(version.releaseVersion, "");
		for (const char byte : version.reserved)
			ASSERT_EQ(byte, 0);
	}
}

TEST(Versions, WhatIsNotInstalledHasNone)
{
	aclCANNPackageVersion version;

	for (const aclCANNPackageName name :
	     {ACL_PKG_NAME_COMPILER, ACL_PKG_NAME_HCCL, ACL_PKG_NAME_OPP_KERNEL})
		EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "not installed",
			     aclsysGetCANNVersion(name, &version));
	for (const char *package : {"hccl", "nothing", "", "../info/runtime", "runtime/", "."}) {
		EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "not installed", read_version(package));
		EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "not installed", read_number(package));
	}
}

TEST(Versions, WrongArguments)
{
	char text[ACL_PKG_VERSION_MAX_SIZE];
	char package[] = "runtime";
	int32_t number = 0;
	aclCANNPackageVersion version;

	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pkgName", aclsysGetVersionStr(nullptr, text));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "versionStr", aclsysGetVersionStr(package, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "pkgName", aclsysGetVersionNum(nullptr, &number));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "versionNum", aclsysGetVersionNum(package, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "version",
		     aclsysGetCANNVersion(ACL_PKG_NAME_CANN, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "8",
		     aclsysGetCANNVersion(raw_enum<aclCANNPackageName>(8), &version));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "-1",
		     aclsysGetCANNVersion(raw_enum<aclCANNPackageName>(-1), &version));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "patchVersion",
		     aclrtGetVersion(&number, &number, nullptr));
}
