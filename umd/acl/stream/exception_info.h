// SPDX-License-Identifier: MIT
#pragma once

#include "umd/core/host/fault_watch.h"

/* The fault that the callback of the program may query. It is valid until the callback returns. */
struct rtExceptionInfo {
	umd::FaultInfo fault;
};
