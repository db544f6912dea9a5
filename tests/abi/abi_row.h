// SPDX-License-Identifier: MIT
/*
 * DOC: Rows of the ABI tables
 *
 * A row is what the headers say beside the number programs were compiled with. The numbers are
 * written out in the tests: a table made from the headers would agree with any mistake in them.
 */
#pragma once

#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

/* VALUE - a row for a constant; SIZE, ALIGN and OFFSET - rows for the layout of a type. */
#define VALUE(name, number) \
	AbiRow \
	{ \
#name, static_cast < int64_t>(name), number \
	}
#define SIZE(type, bytes) \
	AbiRow \
	{ \
		"size of " #type, sizeof(type), bytes \
	}
#define ALIGN(type, bytes) \
	AbiRow \
	{ \
		"alignment of " #type, alignof(type), bytes \
	}
#define OFFSET(type, field, bytes) \
	AbiRow \
	{ \
#type "." #field, offsetof(type, field), bytes \
	}

struct AbiRow {
	const char *name;
	int64_t actual;
	int64_t expected;
};

/* Every row's two numbers are equal. */
template <size_t N> void expect_rows(const AbiRow (&rows)[N])
{
	for (const AbiRow &row : rows)
		EXPECT_EQ(row.actual, row.expected) << row.name;
}
