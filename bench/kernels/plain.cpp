// SPDX-License-Identifier: MIT
/**
 * DOC: A program without kernels
 *
 * What bench/kernels compares its own start with.
 */
#include "process/client.h"

int main()
{
	bench::Client client;
	client.open();
	client.close();
	return 0;
}
