// SPDX-License-Identifier: MIT
/**
 * DOC: Keys
 *
 * A program passes the firmware's key to another process as text. This file converts keys, checks them before
 * an import, and makes the error messages for keys that can't be used.
 */
#include "share_key.h"

#include <charconv>
#include <cstring>

#include <fmt/format.h>

#include "umd/core/process/error.h"

namespace umd {

using base::Result;
using base::Status;

std::string write_key(const unpu_export_key &key)
{
	const auto *bytes = reinterpret_cast<const uint8_t *>(&key);
	return fmt::format("{:02x}", fmt::join(bytes, bytes + sizeof(key), ""));
}

Result<unpu_export_key> read_key(const char *text, unpu_export_kind kind)
{
	unpu_export_key key{};
	auto *bytes = reinterpret_cast<uint8_t *>(&key);
	size_t length = strnlen(text, KEY_DIGITS + 1);
	bool good = length == KEY_DIGITS;
	for (size_t i = 0; good && i < sizeof(key); i++) {
		auto [end, error] = std::from_chars(text + 2 * i, text + 2 * i + 2, bytes[i], 16);
		good = error == std::errc() && end == text + 2 * i + 2;
	}
	if (good && key.kind == kind)
		return key;
	return set_error(Status::INVALID_ARGUMENT,
			 good ? std::string("the key names something of another kind; pass it to "
					    "the import of that kind")
			      : fmt::format("the key is not {} hexadecimal digits and a 0 byte; "
					    "pass what the export wrote",
					    KEY_DIGITS));
}

uint32_t process_id(drv::Device &device)
{
	return base::load_relaxed(device.hal().completion().status.pid);
}

static Status refuse_other_firmware()
{
	return set_error(Status::NOT_SUPPORTED,
			 "the key was made by a process that uses another device than this one; "
			 "processes share what is on one firmware: start 'firmware-sim --listen "
			 "PATH' and run them with UNPU_DEVICE=unix:PATH");
}

Result<unpu_export_key> find_key(drv::Device &device, uint64_t number, unpu_export_kind kind)
{
	auto key = device.sharing().find(number);
	if (key && key->kind == kind)
		return key;
	if (!key && key.status() == Status::NOT_SHARED && !device.hal().serves_others())
		return refuse_other_firmware();
	Status status = key ? Status::NOT_SHARED : key.status();
	return set_error(
		status,
		status == Status::NOT_SHARED
			? fmt::format("the handle {:#x} names nothing that is shared: it was "
				      "never given out, or its memory or its process is gone",
				      number)
			: fmt::format("the handle {:#x} can't be looked up: {}", number,
				      base::status_sentence(status)));
}

Status check_import(drv::Device &device, const unpu_export_key &key)
{
	if (key.instance != device.hal().bar().instance)
		return refuse_other_firmware();
	if (key.pid == process_id(device))
		return set_error(Status::SAME_PROCESS,
				 "the key was made by this process; it has the object already, and "
				 "only other processes can import it");
	return Status::OK;
}

Status refuse_import(Status status, const unpu_export_key &key)
{
	switch (status) {
	case Status::NOT_SHARED:
		return set_error(status, fmt::format("process {} does not share what the key names "
						     "any more, or never did",
						     key.pid));
	case Status::NOT_ALLOWED:
		return set_error(
			status,
			fmt::format("process {} has not listed this process as one that may import "
				    "the key; it does so by the SetImportPid call, with the number "
				    "that $device_get_bare_tgid gives here",
				    key.pid));
	default:
		return set_error(status, fmt::format("what process {} shares can't be imported: {}",
						     key.pid, base::status_sentence(status)));
	}
}

} // namespace umd
