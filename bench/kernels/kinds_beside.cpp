// SPDX-License-Identifier: MIT
/**
 * DOC: Kinds of kernels beside plain loops, measured
 */
#include <cmath>
#include <cstring>
#include <vector>

#include "beside.h"
#include "harness/samples.h"
#include "kinds.h"

namespace bench {

namespace {

constexpr uint32_t BLOCKS = 32;
constexpr uint32_t ELEMENTS = 4u << 20;

/* class Memory - of the device, and the same bytes of the program. */
class Memory {
public:
	explicit Memory(size_t bytes) : host_(bytes)
	{
		CHECK(aclrtMalloc(&device_, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
	}
	~Memory() { CHECK(aclrtFree(device_)); }
	Memory(const Memory &) = delete;
	Memory &operator=(const Memory &) = delete;

	void *device() const { return device_; }
	unsigned char *host() { return host_.data(); }

	void send()
	{
		CHECK(aclrtMemcpy(device_, host_.size(), host_.data(), host_.size(),
				  ACL_MEMCPY_HOST_TO_DEVICE));
	}
	std::vector<unsigned char> results() const
	{
		std::vector<unsigned char> bytes(host_.size());
		CHECK(aclrtMemcpy(bytes.data(), bytes.size(), device_, bytes.size(),
				  ACL_MEMCPY_DEVICE_TO_HOST));
		return bytes;
	}

private:
	std::vector<unsigned char> host_;
	void *device_ = nullptr;
};

template <class T> T number_at(const unsigned char *bytes, size_t i)
{
	T value;
	memcpy(&value, bytes + i * sizeof(T), sizeof(T));
	return value;
}

/* Small numbers of both signs, and none near 0. */
void fill(const Kind &kind, Memory &memory)
{
	for (size_t i = 0; i < ELEMENTS; i++) {
		const float value = (static_cast<float>((i * 7 + i / 1000) % 33) - 16.5f) / 16;
		const auto half = aclFloatToFloat16(value);
		const auto byte = static_cast<int8_t>(value * 100);
		if (kind.is_half)
			memcpy(memory.host() + i * sizeof(half), &half, sizeof(half));
		else if (kind.is_byte)
			memcpy(memory.host() + i, &byte, sizeof(byte));
		else
			memcpy(memory.host() + i * sizeof(value), &value, sizeof(value));
	}
	memory.send();
}

float result_at(const Kind &kind, const unsigned char *bytes, size_t i)
{
	if (kind.result_bytes == sizeof(float))
		return number_at<float>(bytes, i);
	if (kind.result_bytes == 1)
		return number_at<int8_t>(bytes, i);
	return aclFloat16ToFloat(number_at<aclFloat16>(bytes, i));
}

/* The norm of halves and the rounding of bytes may differ by the last digit. */
void compare(const Kind &kind, Memory &out)
{
	const std::vector<unsigned char> found = out.results();
	const size_t step = strcmp(kind.key, "shrink") == 0 ? KIND_COLUMNS : 1;
	const float most = kind.result_bytes == 1 ? 0.5f : 2e-3f;
	float worst = 0;
	for (size_t i = 0; i < ELEMENTS; i += step) {
		const float wanted = result_at(kind, out.host(), i);
		worst = std::fmax(worst, std::fabs(result_at(kind, found.data(), i) - wanted) /
						 (1 + std::fabs(wanted)));
	}
	check(!(worst < most), kind.title);
}

void measure_kind(const Effort &effort, const Client &client, const Kind &kind,
		  Memory (&memories)[5], Round &round)
{
	for (unsigned i = 0; i < 3; i++)
		fill(kind, memories[i]);
	/* Scales of groups are floats. */
	if (kind.is_byte) {
		Kind floats = kind;
		floats.is_byte = false;
		fill(floats, memories[1]);
	}
	KindMemory device{}, host{};
	void **const to[] = {&device.x, &device.y, &device.z, &device.index, &device.out};
	void **const own[] = {&host.x, &host.y, &host.z, &host.index, &host.out};
	for (unsigned i = 0; i < 5; i++) {
		*to[i] = memories[i].device();
		*own[i] = memories[i].host();
	}
	device.elements = host.elements = ELEMENTS;
	std::vector<double> kernels, loops;
	for (unsigned i = 0; i < effort.scaled(16); i++) {
		loops.push_back(measure({0, 1, 1, 0}, [&] { kind.loop(host); }).median_ns);
		kernels.push_back(measure({0, 1, 1, 0}, [&] {
					  CHECK(kind.launch(BLOCKS, client.first, device));
					  Client::sync(client.first);
				  }).median_ns);
	}
	compare(kind, memories[4]);
	Measure row;
	row.key = std::string("loop.") + kind.key;
	row.title = std::string(kind.title) + ", a plain loop";
	row.base = "";
	row.bytes = kind.bytes * ELEMENTS;
	row.summary = {quantile(loops, 0.5), quantile(loops, 0.99)};
	round.push_back(row);
	row.base = row.key;
	row.key = std::string("kernel.kind.") + kind.key;
	row.title = std::string(kind.title) + ", a kernel";
	row.against = Against::SPEED;
	row.summary = {quantile(kernels, 0.5), quantile(kernels, 0.99)};
	round.push_back(row);
}

} // namespace

void measure_beside_loops(const Effort &effort, const Client &client, Round &round)
{
	constexpr size_t BYTES = size_t{ELEMENTS} * sizeof(float);
	Memory memories[5] = {Memory(BYTES), Memory(BYTES), Memory(BYTES), Memory(BYTES),
			      Memory(BYTES)};
	const uint32_t rows = ELEMENTS / KIND_COLUMNS;
	for (uint32_t i = 0; i < rows; i++) {
		/* Odd, so each row comes once. */
		const auto row = static_cast<int32_t>(uint64_t{i} * 2477 % rows);
		memcpy(memories[3].host() + i * sizeof(row), &row, sizeof(row));
	}
	memories[3].send();
	for (size_t i = 0; i < KIND_COUNT; i++)
		measure_kind(effort, client, KINDS[i], memories, round);
}

} // namespace bench
