// SPDX-License-Identifier: MIT
#pragma once

#include "uapi/status.h"

namespace base {

/**
 * enum class Status - uapi's list of statuses as a [[nodiscard]] C++ type.
 */
enum class [[nodiscard]] Status : uint32_t{
#define BASE_STATUS_ENUM(name, number, sentence) name = number,
	UNPU_STATUS_LIST(BASE_STATUS_ENUM)
#undef BASE_STATUS_ENUM
};

/** status_name() - "MMU_FAULT" for Status::MMU_FAULT, "UNKNOWN" for a number outside the list. */
constexpr const char *status_name(Status status)
{
	switch (status) {
#define BASE_STATUS_NAME(name, number, sentence) \
	case Status::name: \
		return #name;
		UNPU_STATUS_LIST(BASE_STATUS_NAME)
#undef BASE_STATUS_NAME
	}
	return "UNKNOWN";
}

/** status_sentence() - the text of an error message: what the status means. */
constexpr const char *status_sentence(Status status)
{
	switch (status) {
#define BASE_STATUS_SENTENCE(name, number, sentence) \
	case Status::name: \
		return sentence;
		UNPU_STATUS_LIST(BASE_STATUS_SENTENCE)
#undef BASE_STATUS_SENTENCE
	}
	return "the status is not one of this version's";
}

} // namespace base
