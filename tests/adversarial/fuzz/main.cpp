// SPDX-License-Identifier: MIT
/**
 * DOC: start of a fuzz target
 *
 * With UNPU_FUZZ_SEEDS=FOLDER in the environment a target writes its seeds there and ends.
 */
#include <cstdio>

#include "input.h"

static void write_seeds(const std::string &folder)
{
	for (const fuzz::Seed &seed : fuzz::seeds()) {
		FILE *file = fopen((folder + "/" + seed.name).c_str(), "wb");
		fuzz::expect(file != nullptr, "a seed can't be written");
		fwrite(seed.bytes.data(), 1, seed.bytes.size(), file);
		fclose(file);
	}
}

extern "C" int LLVMFuzzerInitialize(int *, char ***)
{
	if (const char *folder = getenv("UNPU_FUZZ_SEEDS")) {
		write_seeds(folder);
		exit(0);
	}
	return 0;
}
