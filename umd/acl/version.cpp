// SPDX-License-Identifier: MIT
/**
 * DOC: AscendCL versions
 *
 * The version of the interface is the version of the headers. The version of a package is read from the
 * file share/info/PACKAGE/version.info of the toolkit that contains this library. The folder share is
 * next to the folder that the library was loaded from.
 */
#include <cstring>

#include "acl/acl.h"
#include "base/os/calls/transfers.h"
#include "base/os/machine.h"
#include "front.h"
#include "umd/core/device/devices.h"
#include "version_text.h"

using base::Result;
using base::Status;
using umd::acl_return;
using umd::Devices;
using umd::null_argument;
using umd::set_error;

aclError aclrtGetVersion(int32_t *majorVersion, int32_t *minorVersion, int32_t *patchVersion)
{
	if (!majorVersion)
		return acl_return(null_argument("majorVersion"));
	if (!minorVersion)
		return acl_return(null_argument("minorVersion"));
	if (!patchVersion)
		return acl_return(null_argument("patchVersion"));
	*majorVersion = ACL_MAJOR_VERSION;
	*minorVersion = ACL_MINOR_VERSION;
	*patchVersion = ACL_PATCH_VERSION;
	return ACL_SUCCESS;
}

const char *aclrtGetSocName()
{
	return Devices::get().soc_name().c_str();
}

/* A program may override an exported function, so the address of a function that is not exported is used
 * here. */
static std::string toolkit_folder()
{
	return base::toolkit_folder(reinterpret_cast<const void *>(&toolkit_folder));
}

static Result<std::string> package_version(const std::string &package)
{
	/* The name must not contain a path, which could lead to another file. */
	bool plain = !package.empty() && package.find_first_of("/.") == package.npos;
	std::string path = toolkit_folder() + "/share/info/" + package + "/version.info";
	std::string text;
	if (!plain || !base::calls::read_file(path.c_str(), text))
		return set_error(
			Status::BAD_FILE,
			fmt::format("package '{}' is not installed: there is no file {}; this "
				    "toolkit has cann, runtime, toolkit, opp, driver and firmware",
				    package, path));
	std::string version = umd::find_version(text);
	if (version.empty() || version.size() >= ACL_PKG_VERSION_MAX_SIZE)
		return set_error(Status::BAD_FILE,
				 fmt::format("package '{}': {} has no line version= of at most {} "
					     "characters",
					     package, path, ACL_PKG_VERSION_MAX_SIZE - 1));
	return version;
}

aclError aclsysGetVersionStr(char *pkgName, char *versionStr)
{
	if (!pkgName)
		return acl_return(null_argument("pkgName"));
	if (!versionStr)
		return acl_return(null_argument("versionStr"));
	auto version = TRY(package_version(pkgName));
	memcpy(versionStr, version.c_str(), version.size() + 1);
	return ACL_SUCCESS;
}

aclError aclsysGetVersionNum(char *pkgName, int32_t *versionNum)
{
	if (!pkgName)
		return acl_return(null_argument("pkgName"));
	if (!versionNum)
		return acl_return(null_argument("versionNum"));
	auto version = TRY(package_version(pkgName));
	auto number = umd::version_number(version);
	if (!number)
		return acl_return(set_error(
			number.status(),
			fmt::format("package '{}' has version '{}', which is not up to three "
				    "numbers of two digits and a release",
				    pkgName, version)));
	*versionNum = *number;
	return ACL_SUCCESS;
}

/* Return: nullptr for an unknown number. */
static const char *package_name(aclCANNPackageName name)
{
	switch (name) {
	case ACL_PKG_NAME_CANN:
		return "cann";
	case ACL_PKG_NAME_RUNTIME:
		return "runtime";
	case ACL_PKG_NAME_COMPILER:
		return "compiler";
	case ACL_PKG_NAME_HCCL:
		return "hccl";
	case ACL_PKG_NAME_TOOLKIT:
		return "toolkit";
	case ACL_PKG_NAME_OPP:
		return "opp";
	case ACL_PKG_NAME_OPP_KERNEL:
		return "opp_kernel";
	case ACL_PKG_NAME_DRIVER:
		return "driver";
	}
	return nullptr;
}

template <size_t SIZE> static void give_text(char (&out)[SIZE], const std::string &text)
{
	size_t bytes = std::min(text.size(), SIZE - 1);
	memcpy(out, text.data(), bytes);
	out[bytes] = '\0';
}

aclError aclsysGetCANNVersion(aclCANNPackageName name, aclCANNPackageVersion *version)
{
	if (!version)
		return acl_return(null_argument("version"));
	const char *package = package_name(name);
	if (!package)
		return acl_return(
			set_error(Status::INVALID_ENUM,
				  fmt::format("name is {}; packages are ACL_PKG_NAME_CANN (0) to "
					      "ACL_PKG_NAME_DRIVER (7)",
					      static_cast<int>(name))));
	auto text = TRY(package_version(package));
	umd::VersionParts parts = umd::split_version(text);
	*version = aclCANNPackageVersion{};
	give_text(version->version, text);
	give_text(version->majorVersion, parts.major);
	give_text(version->minorVersion, parts.minor);
	give_text(version->releaseVersion, parts.release);
	give_text(version->patchVersion, parts.patch);
	return ACL_SUCCESS;
}
