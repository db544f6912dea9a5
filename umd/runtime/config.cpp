// SPDX-License-Identifier: MIT
/**
 * DOC: Initialisation file
 *
 * The JSON file that aclInit takes. Keys of services that this device has no part in (dump,
 * profiler) are accepted as any other known key; a key's type is checked when the key is used.
 */
#include "config.h"

#include <fstream>
#include <functional>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "umd/error.h"

namespace umd {

using base::Status;

static constexpr unsigned MAX_NESTING = 10;

/* The format's own limit: braces and brackets each at most ten deep. */
static bool nested_too_deep(const std::string &text)
{
	unsigned braces = 0;
	unsigned brackets = 0;
	bool quoted = false;
	for (size_t i = 0; i < text.size(); i++) {
		char c = text[i];
		if (quoted) {
			if (c == '\\')
				i++;
			else if (c == '"')
				quoted = false;
			continue;
		}
		quoted = c == '"';
		braces += c == '{';
		brackets += c == '[';
		if (braces > MAX_NESTING || brackets > MAX_NESTING)
			return true;
		braces -= c == '}' && braces > 0;
		brackets -= c == ']' && brackets > 0;
	}
	return false;
}

static Status read_default_device(const nlohmann::json &root, InitConfig &config)
{
	auto section = root.find("defaultDevice");
	if (section == root.end())
		return Status::OK;
	if (!section->is_object() || !section->contains("default_device"))
		return set_error(Status::BAD_CONFIG,
				 "aclInit: defaultDevice must be an object with default_device");
	const auto &value = (*section)["default_device"];
	int64_t device = -1;
	if (value.is_number_integer())
		device = value.get<int64_t>();
	else if (value.is_string())
		device = atoll(value.get_ref<const std::string &>().c_str());
	bool digits = !value.is_string() || value.get_ref<const std::string &>().find_first_not_of(
						    "0123456789") == std::string::npos;
	if (device < 0 || device > INT32_MAX || !digits)
		return set_error(Status::BAD_CONFIG,
				 "aclInit: defaultDevice.default_device must be a device number");
	config.default_device = static_cast<int32_t>(device);
	return Status::OK;
}

Status read_config(const char *path, InitConfig &config)
{
	std::string text;
	if (path && *path) {
		std::ifstream file(path);
		if (!file)
			return set_error(
				Status::BAD_FILE,
				fmt::format("aclInit: the file '{}' can't be opened", path));
		std::ostringstream whole;
		whole << file.rdbuf();
		text = whole.str();
		if (file.bad())
			return set_error(Status::BAD_FILE,
					 fmt::format("aclInit: the file '{}' can't be read", path));
	}
	config.hash = std::hash<std::string>()(text);
	if (text.find_first_not_of(" \t\r\n") == std::string::npos)
		return Status::OK;
	if (nested_too_deep(text))
		return set_error(
			Status::BAD_CONFIG,
			fmt::format("aclInit: '{}' nests braces or brackets deeper than {}", path,
				    MAX_NESTING));
	auto root = nlohmann::json::parse(text, nullptr, false);
	if (root.is_discarded() || !root.is_object())
		return set_error(Status::BAD_CONFIG,
				 fmt::format("aclInit: '{}' is not a JSON object", path));
	return read_default_device(root, config);
}

} // namespace umd
