// SPDX-License-Identifier: MIT
/**
 * DOC: PoCL
 *
 * A device of the CPU behind OpenCL. Of all peers it does most of what unpu does. Its "basic"
 * device has no thread and runs the kernel in the caller; the other device passes the kernel to a
 * pool of threads. The library reads POCL_DEVICES when the program first looks at the platform, so
 * each device is measured in a process of its own.
 */
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include "peers/peer.h"

namespace bench {

namespace {

constexpr size_t SMALL_BYTES = 4096;
constexpr size_t LARGE_BYTES = 64u << 20;
constexpr const char *SOURCE = "kernel void nothing() {}";

/* Return: false where there is no device. */
bool good(cl_int status, const char *what)
{
	if (status != CL_SUCCESS)
		std::fprintf(stderr, "OpenCL: %s: %d\n", what, status);
	return status == CL_SUCCESS;
}

class Queue {
public:
	bool open();
	~Queue();

	void run() const
	{
		const size_t one = 1;
		(void)clEnqueueNDRangeKernel(queue_, kernel_, 1, nullptr, &one, &one, 0, nullptr,
					     nullptr);
	}
	void finish() const { (void)clFinish(queue_); }
	void write(const std::vector<char> &from, size_t bytes) const
	{
		(void)clEnqueueWriteBuffer(queue_, buffer_, CL_TRUE, 0, bytes, from.data(), 0,
					   nullptr, nullptr);
	}

private:
	cl_context context_ = nullptr;
	cl_command_queue queue_ = nullptr;
	cl_program program_ = nullptr;
	cl_kernel kernel_ = nullptr;
	cl_mem buffer_ = nullptr;
};

bool Queue::open()
{
	cl_platform_id platform;
	cl_device_id device;
	cl_int status;
	if (!good(clGetPlatformIDs(1, &platform, nullptr), "platform") ||
	    !good(clGetDeviceIDs(platform, CL_DEVICE_TYPE_CPU, 1, &device, nullptr), "device"))
		return false;
	context_ = clCreateContext(nullptr, 1, &device, nullptr, nullptr, &status);
	if (!good(status, "context"))
		return false;
	queue_ = clCreateCommandQueueWithProperties(context_, device, nullptr, &status);
	if (!good(status, "queue"))
		return false;
	const char *source = SOURCE;
	program_ = clCreateProgramWithSource(context_, 1, &source, nullptr, &status);
	if (!good(status, "program") ||
	    !good(clBuildProgram(program_, 1, &device, "", nullptr, nullptr), "build"))
		return false;
	kernel_ = clCreateKernel(program_, "nothing", &status);
	if (!good(status, "kernel"))
		return false;
	buffer_ = clCreateBuffer(context_, CL_MEM_READ_WRITE, LARGE_BYTES, nullptr, &status);
	return good(status, "buffer");
}

Queue::~Queue()
{
	if (buffer_)
		clReleaseMemObject(buffer_);
	if (kernel_)
		clReleaseKernel(kernel_);
	if (program_)
		clReleaseProgram(program_);
	if (queue_)
		clReleaseCommandQueue(queue_);
	if (context_)
		clReleaseContext(context_);
}

void measure_queue(const Effort &effort, Round &round, const char *name, const std::string &title)
{
	Queue queue;
	if (!queue.open())
		return;
	add_trip(effort, round, name, "trip", (title + ": kernel, finish").c_str(), [&] {
		queue.run();
		queue.finish();
	});
	const Plan batch{100, effort.scaled(20), 500, 0};
	round.push_back({peer_key(name, "submit"), title + ": enqueue (of 500 back to back)",
			 measure(
				 batch, [&] { queue.run(); }, [&] { queue.finish(); })});
	const std::vector<char> host(LARGE_BYTES, 1);
	add_trip(effort, round, name, "write.4096", (title + ": write 4 KiB").c_str(),
		 [&] { queue.write(host, SMALL_BYTES); });
	Measure large{
		peer_key(name, "write.67108864"), title + ": write 64 MiB",
		measure({1, effort.scaled(6), 1, 0}, [&] { queue.write(host, LARGE_BYTES); })};
	large.bytes = LARGE_BYTES;
	round.push_back(large);
}

} // namespace

void run_opencl_basic(const Effort &effort, Round &round)
{
	setenv("POCL_DEVICES", "basic", 1);
	measure_queue(effort, round, "pocl_basic", "PoCL basic");
}

void run_opencl_threads(const Effort &effort, Round &round)
{
	setenv("POCL_DEVICES", "pthread", 1);
	measure_queue(effort, round, "pocl_threads", "PoCL threads");
}

} // namespace bench
