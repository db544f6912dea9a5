// SPDX-License-Identifier: MIT
/**
 * DOC: one model, by unpu
 *
 * run_model FILE.om COUNT: loads a model, runs it COUNT times after two warm-ups, and prints a line of JSON: the times
 * of the load, of the first run and of all runs in milliseconds, and by how many KiB the resident memory of the process
 * grew. bench/models/onnxruntime.js prints the same of an ONNX file.
 */
#include <acl/acl.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

namespace {

void check(aclError error, const char *what)
{
	if (error == ACL_SUCCESS)
		return;
	const char *text = aclGetRecentErrMsg();
	fprintf(stderr, "run_model: %s: %d, %s\n", what, error, text ? text : "");
	exit(1);
}

long resident_kib()
{
	std::ifstream file("/proc/self/status");
	for (std::string line; std::getline(file, line);)
		if (line.starts_with("VmRSS:"))
			return std::strtol(line.c_str() + 6, nullptr, 10);
	return 0;
}

using Clock = std::chrono::steady_clock;

double since(Clock::time_point began)
{
	return std::chrono::duration<double, std::milli>(Clock::now() - began).count();
}

/* Real numbers from -1 to 1, and ones where numbers are whole: indices and masks of any model take them. */
std::vector<char> elements(aclDataType type, size_t bytes)
{
	std::vector<char> data(bytes);
	uint32_t state = 1;
	const size_t size = aclDataTypeSize(type);
	for (size_t at = 0; at + size <= bytes && type == ACL_FLOAT; at += size) {
		state = state * 1664525 + 1013904223;
		const float value = static_cast<float>(state >> 8) / 8388608.0f - 1;
		std::memcpy(data.data() + at, &value, sizeof(value));
	}
	for (size_t at = 0; at + size <= bytes && type != ACL_FLOAT && type != ACL_FLOAT16;
	     at += size)
		data[at] = 1;
	return data;
}

void add(aclmdlDataset *set, const std::vector<char> &data)
{
	void *memory;
	check(aclrtMalloc(&memory, data.size(), ACL_MEM_MALLOC_HUGE_FIRST), "aclrtMalloc");
	check(aclrtMemcpy(memory, data.size(), data.data(), data.size(), ACL_MEMCPY_HOST_TO_DEVICE),
	      "aclrtMemcpy");
	check(aclmdlAddDatasetBuffer(set, aclCreateDataBuffer(memory, data.size())),
	      "aclmdlAddDatasetBuffer");
}

} // namespace

int main(int count, char **arguments)
{
	if (count != 3)
		return 2;
	const int runs = std::atoi(arguments[2]);
	const long before = resident_kib();
	check(aclInit(nullptr), "aclInit");
	check(aclrtSetDevice(0), "aclrtSetDevice");
	uint32_t model = 0;
	const auto began = Clock::now();
	check(aclmdlLoadFromFile(arguments[1], &model), "aclmdlLoadFromFile");
	const double load = since(began);
	aclmdlDesc *desc = aclmdlCreateDesc();
	check(aclmdlGetDesc(desc, model), "aclmdlGetDesc");
	aclmdlDataset *inputs = aclmdlCreateDataset(), *outputs = aclmdlCreateDataset();
	for (size_t i = 0; i < aclmdlGetNumInputs(desc); i++)
		add(inputs,
		    elements(aclmdlGetInputDataType(desc, i), aclmdlGetInputSizeByIndex(desc, i)));
	for (size_t i = 0; i < aclmdlGetNumOutputs(desc); i++)
		add(outputs, std::vector<char>(aclmdlGetOutputSizeByIndex(desc, i)));
	std::string times;
	for (int run = 0; run < runs + 2; run++) {
		const auto start = Clock::now();
		check(aclmdlExecute(model, inputs, outputs), "aclmdlExecute");
		char text[32];
		snprintf(text, sizeof(text), "%s%.4f", run == 0 ? "" : ", ", since(start));
		times += text;
	}
	printf("{\"load\": %.3f, \"times\": [%s], \"resident\": %ld}\n", load, times.c_str(),
	       resident_kib() - before);
	return 0;
}
