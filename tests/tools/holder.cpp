// SPDX-License-Identifier: MIT
/*
 * DOC: a program that holds memory
 *
 * Has device and pinned memory and touches all of it, prints where the kernel says it lies, by
 * move_pages() and as {"pinned": {node: bytes}, ...}, and waits until its input ends. Where there is no
 * move_pages(), it prints null for the nodes.
 */
#include <acl/acl.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

#include <sys/syscall.h>
#include <unistd.h>

static constexpr size_t PAGE_BYTES = 4096;
static constexpr size_t BYTES = size_t{4} << 20;

static void must(bool good, const char *what)
{
	if (good)
		return;
	std::fprintf(stderr, "holder: %s: %s\n", what, aclGetRecentErrMsg());
	std::exit(1);
}

/* The first mapping with such pages decides; both sides of a device map them all. */
static std::map<int, size_t> pages_of(const std::string &name)
{
	std::map<std::string, std::map<int, size_t>> files;
	std::ifstream maps("/proc/self/maps");
	std::string line;
	while (std::getline(maps, line)) {
		const size_t at = line.find("/memfd:unpu-" + name);
		char *end = nullptr;
		if (at == line.npos)
			continue;
		const uintptr_t first = strtoul(line.c_str(), &end, 16);
		const uintptr_t last = strtoul(end + 1, nullptr, 16);
		/* From the file's number on. */
		const std::string file = line.substr(line.find("00:"), at - line.find("00:"));
		std::map<int, size_t> found;
		size_t present = 0;
		for (uintptr_t address = first; address < last; address += PAGE_BYTES) {
			void *page = reinterpret_cast<void *>(address);
			int node = -1;
			if (syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &node, 0) == 0 &&
			    node >= 0) {
				found[node] += PAGE_BYTES;
				present += PAGE_BYTES;
			}
		}
		size_t before = 0;
		for (const auto &[node, bytes] : files[file])
			before += bytes;
		if (present > before)
			files[file] = found;
	}
	std::map<int, size_t> sum;
	for (const auto &[file, nodes] : files) {
		for (const auto &[node, bytes] : nodes)
			sum[node] += bytes;
	}
	return sum;
}

static bool has_move_pages()
{
	void *page = &page;
	int node = -1;

	return syscall(SYS_move_pages, 0, 1ul, &page, nullptr, &node, 0) == 0 || errno != ENOSYS;
}

static void print(const char *kind)
{
	const char *comma = "";
	if (!has_move_pages()) {
		std::printf("\"%s\": null", kind);
		return;
	}
	std::printf("\"%s\": {", kind);
	for (const auto &[node, bytes] : pages_of(kind)) {
		std::printf("%s\"%d\": %zu", comma, node, bytes);
		comma = ", ";
	}
	std::printf("}");
}

int main()
{
	void *pinned = nullptr;
	void *device = nullptr;
	must(aclInit(nullptr) == ACL_SUCCESS, "aclInit");
	must(aclrtSetDevice(0) == ACL_SUCCESS, "aclrtSetDevice");
	must(aclrtMallocHost(&pinned, BYTES) == ACL_SUCCESS, "aclrtMallocHost");
	must(aclrtMalloc(&device, BYTES, ACL_MEM_MALLOC_NORMAL_ONLY) == ACL_SUCCESS, "aclrtMalloc");
	memset(pinned, 1, BYTES);
	must(aclrtMemcpy(device, BYTES, pinned, BYTES, ACL_MEMCPY_HOST_TO_DEVICE) == ACL_SUCCESS,
	     "aclrtMemcpy");
	std::printf("{");
	print("device");
	std::printf(", ");
	print("pinned");
	std::printf("}\n");
	std::fflush(stdout);
	while (std::getchar() != EOF)
		continue;
	must(aclrtFree(device) == ACL_SUCCESS, "aclrtFree");
	must(aclrtFreeHost(pinned) == ACL_SUCCESS, "aclrtFreeHost");
	must(aclrtResetDeviceForce(0) == ACL_SUCCESS, "aclrtResetDeviceForce");
	return aclFinalize() == ACL_SUCCESS ? 0 : 1;
}
