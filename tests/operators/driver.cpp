// SPDX-License-Identifier: MIT
/*
 * DOC: Cases of tensor operators, run
 *
 *	unpu_operator_cases CASES RESULTS
 *
 * Runs each operator of a case file through both of its phases on the device that UNPU_DEVICE names. Which cases
 * those are, and whether the results are right, is up to the program that writes and reads the files:
 * tests/operators/run.py.
 *
 *	case	{ name:text, bytes:u32, memory, narguments:u32, arguments }	see arguments.h
 *	result	{ prepare:i32, launch:i32, synchronize:i32, sentence:text, memory }
 *
 * The memory of a case holds all of its tensors and the bytes around them, and comes back as a whole.
 */
#include <fstream>
#include <iterator>

#include "operators.h"

namespace {

constexpr size_t MEMORY_BYTES = 64 << 20;

void check(aclError status, const char *what)
{
	if (status != ACL_SUCCESS)
		stop(std::string(what) + " failed with " + std::to_string(status) + ": " +
		     aclGetRecentErrMsg());
}

#define CHECK(call) check(call, #call)

/* class Device - device memory, and a stream that is replaced when an operator has failed it. */
class Device {
public:
	Device()
	{
		CHECK(aclInit(nullptr));
		CHECK(aclrtSetDevice(0));
		CHECK(aclrtCreateStream(&stream_));
		void *memory = nullptr;
		CHECK(aclrtMalloc(&memory, MEMORY_BYTES, ACL_MEM_MALLOC_HUGE_FIRST));
		memory_ = static_cast<char *>(memory);
	}
	~Device()
	{
		CHECK(aclrtFree(memory_));
		CHECK(aclrtDestroyStream(stream_));
		CHECK(aclrtResetDevice(0));
		CHECK(aclFinalize());
	}
	Device(const Device &) = delete;

	char *memory() const { return memory_; }
	aclrtStream stream() const { return stream_; }

	void store(const char *bytes, size_t count) const
	{
		if (count > MEMORY_BYTES)
			stop("a case has more memory than the device");
		CHECK(aclrtMemcpy(memory_, count, bytes, count, ACL_MEMCPY_HOST_TO_DEVICE));
	}

	void load(char *bytes, size_t count) const
	{
		CHECK(aclrtMemcpy(bytes, count, memory_, count, ACL_MEMCPY_DEVICE_TO_HOST));
	}

	void replace_stream()
	{
		CHECK(aclrtDestroyStream(stream_));
		CHECK(aclrtCreateStream(&stream_));
	}

private:
	aclrtStream stream_ = nullptr;
	char *memory_ = nullptr;
};

/* struct Outcome - the status of each step that ran. */
struct Outcome {
	int32_t prepare = 0, launch = 0, synchronize = 0;
	std::string sentence; /* of the step that failed */
};

Outcome run(const Operator &row, Arguments &arguments, Device &device)
{
	Outcome outcome;
	Prepared prepared;
	outcome.prepare = row.prepare(arguments, prepared);
	if (!arguments.are_used())
		stop(std::string(row.name) + " has fewer parameters than the case has arguments");
	if (outcome.prepare == 0 && prepared.workspace_bytes != 0)
		stop(std::string(row.name) + " asks for workspace");
	if (outcome.prepare == 0)
		outcome.launch = row.launch(nullptr, 0, prepared.executor, device.stream());
	if (outcome.prepare != 0 || outcome.launch != 0)
		outcome.sentence = aclGetRecentErrMsg();
	arguments.destroy();
	outcome.synchronize = aclrtSynchronizeStream(device.stream());
	if (outcome.synchronize != 0) {
		outcome.sentence = aclGetRecentErrMsg();
		device.replace_stream();
	}
	return outcome;
}

class Writer {
public:
	explicit Writer(const char *path) : file_(path, std::ios::binary) {}
	~Writer()
	{
		file_.flush();
		if (!file_)
			stop("the results can't be written");
	}

	void add(const Outcome &outcome, const std::vector<char> &memory)
	{
		const auto bytes = static_cast<uint32_t>(outcome.sentence.size());
		put(&outcome.prepare, sizeof(int32_t));
		put(&outcome.launch, sizeof(int32_t));
		put(&outcome.synchronize, sizeof(int32_t));
		put(&bytes, sizeof(bytes));
		put(outcome.sentence.data(), bytes);
		put(memory.data(), memory.size());
	}

private:
	void put(const void *from, size_t bytes)
	{
		file_.write(static_cast<const char *>(from), static_cast<std::streamsize>(bytes));
	}

	std::ofstream file_;
};

Reader open_cases(const char *path)
{
	std::ifstream file(path, std::ios::binary);
	if (!file)
		stop("the cases can't be read");
	return Reader({std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
}

} // namespace

int main(int argc, char **argv)
{
	if (argc != 3)
		stop("usage: unpu_operator_cases CASES RESULTS");
	Reader reader = open_cases(argv[1]);
	Writer writer(argv[2]);
	Device device;
	while (!reader.is_over()) {
		const std::string name = reader.take_text();
		const Operator *row = find_operator(name);
		if (!row)
			stop("there is no operator " + name);
		const auto bytes = reader.take<uint32_t>();
		const char *image = reader.take_bytes(bytes);
		std::vector<char> memory(image, image + bytes);
		device.store(memory.data(), bytes);
		Arguments arguments(reader, device.memory());
		const Outcome outcome = run(*row, arguments, device);
		device.load(memory.data(), bytes);
		writer.add(outcome, memory);
	}
	return 0;
}
