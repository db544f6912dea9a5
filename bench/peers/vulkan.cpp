// SPDX-License-Identifier: MIT
/**
 * DOC: lavapipe
 *
 * Mesa's device of the CPU behind Vulkan: a submit of nothing, and one of the smallest fill there is,
 * each with a fence that the host waits for.
 */
#include <cstdio>
#include <cstring>
#include <vector>

#include <vulkan/vulkan.h>

#include "peers/peer.h"

namespace bench {

namespace {

constexpr VkDeviceSize FILL_BYTES = 32;

bool good(VkResult result, const char *what)
{
	if (result != VK_SUCCESS)
		std::fprintf(stderr, "Vulkan: %s: %d\n", what, static_cast<int>(result));
	return result == VK_SUCCESS;
}

class Device {
public:
	bool open();
	~Device();

	void run(bool filled) const
	{
		VkSubmitInfo submit{};
		submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
		submit.commandBufferCount = filled ? 1 : 0;
		submit.pCommandBuffers = &commands_;
		(void)vkQueueSubmit(queue_, 1, &submit, fence_);
		(void)vkWaitForFences(device_, 1, &fence_, VK_TRUE, UINT64_MAX);
		(void)vkResetFences(device_, 1, &fence_);
	}

private:
	bool choose();
	bool make_buffer();
	bool record();

	VkInstance instance_ = nullptr;
	VkPhysicalDevice chosen_ = nullptr;
	VkDevice device_ = nullptr;
	VkQueue queue_ = nullptr;
	VkBuffer buffer_ = VK_NULL_HANDLE;
	VkDeviceMemory memory_ = VK_NULL_HANDLE;
	VkCommandPool pool_ = VK_NULL_HANDLE;
	VkCommandBuffer commands_ = nullptr;
	VkFence fence_ = VK_NULL_HANDLE;
};

/* The first device that is a CPU. */
bool Device::choose()
{
	uint32_t count = 0;
	(void)vkEnumeratePhysicalDevices(instance_, &count, nullptr);
	std::vector<VkPhysicalDevice> all(count);
	(void)vkEnumeratePhysicalDevices(instance_, &count, all.data());
	for (VkPhysicalDevice one : all) {
		VkPhysicalDeviceProperties properties;
		vkGetPhysicalDeviceProperties(one, &properties);
		if (properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU)
			chosen_ = one;
	}
	return chosen_ != nullptr;
}

bool Device::make_buffer()
{
	VkBufferCreateInfo info{};
	info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
	info.size = FILL_BYTES;
	info.usage = VK_BUFFER_USAGE_TRANSFER_DST_BIT;
	if (!good(vkCreateBuffer(device_, &info, nullptr, &buffer_), "buffer"))
		return false;
	VkMemoryRequirements needed;
	vkGetBufferMemoryRequirements(device_, buffer_, &needed);
	VkMemoryAllocateInfo take{};
	take.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
	take.allocationSize = needed.size;
	while (!(needed.memoryTypeBits >> take.memoryTypeIndex & 1))
		take.memoryTypeIndex++;
	return good(vkAllocateMemory(device_, &take, nullptr, &memory_), "memory") &&
	       good(vkBindBufferMemory(device_, buffer_, memory_, 0), "bind");
}

bool Device::record()
{
	VkCommandPoolCreateInfo pool{};
	pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
	if (!good(vkCreateCommandPool(device_, &pool, nullptr, &pool_), "pool"))
		return false;
	VkCommandBufferAllocateInfo take{};
	take.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
	take.commandPool = pool_;
	take.commandBufferCount = 1;
	if (!good(vkAllocateCommandBuffers(device_, &take, &commands_), "commands"))
		return false;
	VkCommandBufferBeginInfo begin{};
	begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
	(void)vkBeginCommandBuffer(commands_, &begin);
	vkCmdFillBuffer(commands_, buffer_, 0, FILL_BYTES, 0);
	return good(vkEndCommandBuffer(commands_), "recording");
}

bool Device::open()
{
	VkApplicationInfo program{};
	program.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
	program.apiVersion = VK_API_VERSION_1_1;
	VkInstanceCreateInfo instance{};
	instance.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
	instance.pApplicationInfo = &program;
	if (!good(vkCreateInstance(&instance, nullptr, &instance_), "instance") || !choose())
		return false;
	const float priority = 1;
	VkDeviceQueueCreateInfo queue{};
	queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
	queue.queueCount = 1;
	queue.pQueuePriorities = &priority;
	VkDeviceCreateInfo device{};
	device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
	device.queueCreateInfoCount = 1;
	device.pQueueCreateInfos = &queue;
	if (!good(vkCreateDevice(chosen_, &device, nullptr, &device_), "device"))
		return false;
	vkGetDeviceQueue(device_, 0, 0, &queue_);
	VkFenceCreateInfo fence{};
	fence.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO;
	return good(vkCreateFence(device_, &fence, nullptr, &fence_), "fence") && make_buffer() &&
	       record();
}

Device::~Device()
{
	if (device_) {
		(void)vkDeviceWaitIdle(device_);
		vkDestroyFence(device_, fence_, nullptr);
		vkDestroyCommandPool(device_, pool_, nullptr);
		vkDestroyBuffer(device_, buffer_, nullptr);
		vkFreeMemory(device_, memory_, nullptr);
		vkDestroyDevice(device_, nullptr);
	}
	if (instance_)
		vkDestroyInstance(instance_, nullptr);
}

} // namespace

void run_lavapipe(const Effort &effort, Round &round)
{
	Device device;
	if (!device.open())
		return;
	add_trip(effort, round, "lavapipe", "submit", "lavapipe: submit of nothing, fence",
		 [&] { device.run(false); });
	add_trip(effort, round, "lavapipe", "trip", "lavapipe: fill of 32 bytes, fence",
		 [&] { device.run(true); });
}

} // namespace bench
