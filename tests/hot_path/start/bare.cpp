// SPDX-License-Identifier: MIT
/*
 * DOC: a C++ program that does next to nothing
 *
 * What it takes is the kernel's part of a process, the loader's and the C++ library's.
 */
#include <iostream>

int main()
{
	std::cout << "nothing\n";
}
