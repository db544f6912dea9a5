// SPDX-License-Identifier: MIT
/**
 * DOC: Initialisation file
 *
 * The JSON file that a program gives when it initialises the library. Unknown keys are accepted, whatever
 * their values.
 */
#include "config.h"

#include <cerrno>
#include <cstring>
#include <functional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json/text.h"
#include "base/number.h"
#include "base/os/calls/transfers.h"
#include "base/result.h"
#include "error.h"

namespace umd {

using base::Status;

static constexpr unsigned MAX_NESTING = 10;

/* The file format's limit: at most ten nested braces, and at most ten nested brackets. */
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

using Json = nlohmann::json;

/* Reads an integer of at least @least, written as a number or as text. Refuses anything else. */
static Status read_number(const Json &section, const char *key, int64_t least, int64_t most,
			  std::optional<int64_t> &number)
{
	auto found = section.find(key);
	if (found == section.end())
		return Status::OK;
	int64_t value = 0;
	bool whole = found->is_number_integer();
	if (whole) {
		value = found->get<int64_t>();
	} else if (found->is_string()) {
		const auto &text = found->get_ref<const std::string &>();
		whole = base::read_number(text, value);
	}
	if (whole && value >= least && value <= most) {
		number = value;
		return Status::OK;
	}
	return set_error(Status::BAD_CONFIG,
			 fmt::format("$init: {} is {}; it must be a whole number from {} to {}",
				     key, found->dump(), least, most));
}

static Status read_default_device(const Json &root, InitConfig &config)
{
	auto section = root.find("defaultDevice");
	if (section == root.end())
		return Status::OK;
	if (!section->is_object() || !section->contains("default_device"))
		return set_error(Status::BAD_CONFIG,
				 "$init: defaultDevice must be an object with default_device");
	std::optional<int64_t> device;
	TRY(read_number(*section, "default_device", 0, INT32_MAX, device));
	config.default_device = static_cast<int32_t>(*device);
	return Status::OK;
}

static Status read_limits(const Json &root, InitConfig &config)
{
	constexpr int64_t MOST = int64_t{1} << 40;
	/* The value must be a number, but it has no effect, because the device has no cores of this kind. */
	std::optional<int64_t> ignored;
	TRY(read_number(root, "simd_printf_fifo_size_per_core", 1, MOST,
			config.limits[LIMIT_PRINTF_FIFO]));
	TRY(read_number(root, "simt_printf_fifo_size", 1, MOST, ignored));
	auto section = root.find("StackSize");
	if (section == root.end())
		return Status::OK;
	if (!section->is_object())
		return set_error(Status::BAD_CONFIG,
				 "$init: StackSize must be an object with aicore_stack_size, "
				 "simt_stack_size or simt_divergence_stack_size");
	TRY(read_number(*section, "aicore_stack_size", 1, MOST, config.limits[LIMIT_STACK]));
	TRY(read_number(*section, "simt_stack_size", 1, MOST, ignored));
	return read_number(*section, "simt_divergence_stack_size", 1, MOST, ignored);
}

static Status read_keys(const Json &root, InitConfig &config)
{
	std::optional<int64_t> mode;
	std::optional<int64_t> ignored;
	TRY(read_default_device(root, config));
	TRY(read_limits(root, config));
	TRY(read_number(root, "err_msg_mode", 0, 1, mode));
	config.process_errors = mode == 1;
	Status status = read_number(root, "max_opqueue_num", 1, INT64_MAX, ignored);
	return status == Status::BAD_CONFIG ? Status::BAD_QUEUE_LENGTH : status;
}

Status read_config(const char *path, InitConfig &config)
{
	std::string &text = config.text;
	if (path && *path && !base::calls::read_file(path, text))
		return set_error(Status::BAD_FILE,
				 fmt::format("$init: the file '{}' can't be read: {}", path,
					     strerror(errno)));
	config.hash = std::hash<std::string>()("");
	if (text.find_first_not_of(" \t\r\n") == std::string::npos)
		return Status::OK;
	if (nested_too_deep(text))
		return set_error(Status::BAD_CONFIG,
				 fmt::format("$init: '{}' nests braces or brackets deeper than {}",
					     path, MAX_NESTING));
	auto root = base::read_json<Json>(text);
	if (root.is_discarded() || !root.is_object())
		return set_error(Status::BAD_CONFIG,
				 fmt::format("$init: '{}' is not a JSON object, as {{}} is", path));
	/* An empty object is the default configuration, as no file is. */
	if (!root.empty())
		config.hash = std::hash<std::string>()(text);
	return read_keys(root, config);
}

} // namespace umd
