// SPDX-License-Identifier: MIT
/**
 * DOC: Settings of communicators
 *
 * A program's struct HcclCommConfig may be older or newer than this library's. The struct begins with its own
 * size, and each field has the same offset in every version.
 */
#include "settings.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>

#include <fmt/format.h>

#include "base/number.h"
#include "hal/options.h"
#include "hccl/hccl.h"
#include "umd/core/process/process.h"
#include "umd/hccl/hccl_result.h"
#include "umd/hccl/meeting/local.h"

namespace umd {

static_assert(offsetof(HcclCommConfig, hcclBufferSize) == 24);
static_assert(offsetof(HcclCommConfig, hcclCommName) == 32);
static_assert(offsetof(HcclCommConfig, hcclExecTimeOut) == 316);
static_assert(sizeof(HcclCommConfig) == 320);

/* The fields with which every version of struct HcclCommConfig begins. */
struct ConfigHead {
	size_t size;
	uint32_t magic;
	uint32_t version;
	uint64_t reserved;
};
static_assert(sizeof(ConfigHead) == HCCL_COMM_CONFIG_INFO_BYTES);

/* struct Variable - an environment variable whose value is a number. */
struct Variable {
	const char *name;
	uint64_t usual;
	uint64_t least;
	uint64_t most;
};

static constexpr Variable CONNECT_TIMEOUT = {"HCCL_CONNECT_TIMEOUT", 120, 1, 7200};
static constexpr Variable EXEC_TIMEOUT = {"HCCL_EXEC_TIMEOUT", 1836, 0, INT32_MAX};
static constexpr Variable BUFFER_MB = {"HCCL_BUFFSIZE", HCCL_COMM_DEFAULT_BUFFSIZE, 1, 1 << 20};

static HcclResult read_variable(const Variable &variable, uint64_t &value)
{
	const std::string text = hal::environment(variable.name);
	value = variable.usual;
	if (text.empty())
		return HCCL_SUCCESS;
	if (base::read_number(text, value) && value >= variable.least && value <= variable.most)
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA, fmt::format("{} is \"{}\"; it must be a number from {} to {}",
					       variable.name, text, variable.least, variable.most));
}

static HcclResult read_config(const HcclCommConfig &given, CommSettings &settings)
{
	ConfigHead head;
	memcpy(&head, &given, sizeof(head));
	if (head.magic != HCCL_COMM_CONFIG_MAGIC_WORD ||
	    head.size < offsetof(HcclCommConfig, hcclCommName))
		return refuse(HCCL_E_PARA,
			      fmt::format("config has the size {} and the magic {:#x}; call "
					  "HcclCommConfigInit before its fields are set",
					  head.size, head.magic));
	HcclCommConfig config;
	HcclCommConfigInit(&config);
	memcpy(&config, &given, std::min(head.size, sizeof(config)));
	const uint32_t megabytes = config.hcclBufferSize;
	if (megabytes == 0)
		return refuse(HCCL_E_PARA, "config->hcclBufferSize is 0; it must be at least 1 MB");
	if (megabytes != HCCL_COMM_BUFFSIZE_CONFIG_NOT_SET)
		settings.buffer_bytes = uint64_t{megabytes} << 20;
	if (config.hcclExecTimeOut < HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET)
		return refuse(HCCL_E_PARA,
			      fmt::format("config->hcclExecTimeOut is {} s; it must be 0 or more",
					  config.hcclExecTimeOut));
	if (config.hcclExecTimeOut != HCCL_COMM_EXECTIMEOUT_CONFIG_NOT_SET)
		settings.wait_ns = static_cast<uint64_t>(config.hcclExecTimeOut) * base::NS_PER_S;
	const size_t length = strnlen(config.hcclCommName, sizeof(config.hcclCommName));
	if (length == sizeof(config.hcclCommName))
		return refuse(HCCL_E_PARA,
			      fmt::format("config->hcclCommName has no 0 in its {} bytes", length));
	const auto is_control = [](char each) { return (each >= 0 && each < ' ') || each == 0x7f; };
	if (std::any_of(config.hcclCommName, config.hcclCommName + length, is_control))
		return refuse(HCCL_E_PARA,
			      "config->hcclCommName has a control character; use printable ones");
	settings.name.assign(config.hcclCommName, length);
	return HCCL_SUCCESS;
}

HcclResult read_settings(const HcclCommConfig *config, CommSettings &settings)
{
	uint64_t megabytes;
	uint64_t wait_s;
	TRY(read_variable(CONNECT_TIMEOUT, settings.connect_s));
	TRY(read_variable(EXEC_TIMEOUT, wait_s));
	TRY(read_variable(BUFFER_MB, megabytes));
	TRY(read_group(settings.group));
	settings.wait_ns = wait_s * base::NS_PER_S;
	settings.buffer_bytes = megabytes << 20;
	return config ? read_config(*config, settings) : HCCL_SUCCESS;
}

/* struct Switches - settings that apply to the whole process. */
struct Switches {
	std::atomic<int32_t> deterministic{0};
};

static HcclResult check_setting(HcclConfig config)
{
	if (config == HCCL_DETERMINISTIC)
		return HCCL_SUCCESS;
	return refuse(HCCL_E_PARA, fmt::format("config is {}; it must be HCCL_DETERMINISTIC (0)",
					       static_cast<int>(config)));
}

} // namespace umd

HcclResult HcclSetConfig(HcclConfig config, HcclConfigValue configValue)
{
	TRY(umd::check_setting(config));
	if (configValue.value < 0 || configValue.value > 2)
		return umd::refuse(
			HCCL_E_PARA,
			fmt::format("configValue is {}; it must be 0, 1 or 2", configValue.value));
	umd::Process::own<umd::Switches>().deterministic.store(configValue.value);
	return HCCL_SUCCESS;
}

HcclResult HcclGetConfig(HcclConfig config, HcclConfigValue *configValue)
{
	TRY(umd::check_setting(config));
	if (!configValue)
		return umd::refuse_null("configValue");
	configValue->value = umd::Process::own<umd::Switches>().deterministic.load();
	return HCCL_SUCCESS;
}

uint32_t HcclGetCommConfigCapability()
{
	return HCCL_COMM_CONFIG_EXEC_TIMEOUT + 1;
}
