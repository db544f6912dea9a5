// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <cstdlib>

#include <acl/acl.h>

/** check() - ends the program with the sentence of a call that failed. */
inline void check(int status, const char *call)
{
	if (status == 0)
		return;
	const char *why = aclGetRecentErrMsg();
	std::fprintf(stderr, "%s: %d: %s\n", call, status, why ? why : "");
	std::exit(1);
}

/** CHECK() - check() with the text of the call. */
#define CHECK(call) check((call), #call)
