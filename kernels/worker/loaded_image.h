// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/abi/image.h"
#include "uapi/kernel.h"

namespace worker {

/** class Image - a loaded kernel image. Context: the thread that handles messages. */
class Image {
public:
	/** @file: the descriptor of the image, which stays open. @number: the firmware's */
	Image(int file, uint32_t number) : file_(file), number_(number) {}
	~Image();
	Image(const Image &) = delete;
	Image &operator=(const Image &) = delete;

	/** find_folder() - finds where the process's descriptors are; to be called before it is confined. */
	static void find_folder();

	/** file_at() - the descriptor whose path the loader gets; -1: it is no such path. Context: any thread; a signal
	 * handler. */
	static int file_at(const char *path);

	/** load() - @services: what the image may call. @why: receives a sentence
	 * Return: false if the file is not a good image. */
	bool load(const unpu_kernel_services &services, std::string &why);

	/* describe() - fills @info with what a launch of the entry needs. */
	void describe(uint32_t entry, unpu_kernel_info &info) const;

	const std::vector<const unpu_kernel_entry *> &entries() const { return entries_; }
	uint32_t number() const { return number_; }

	/* contains() - whether @address is in the image's memory. offset() - converts it to an address in the file */
	bool contains(uint64_t address) const { return address - low_ < high_ - low_; }
	uint64_t offset(uint64_t address) const { return address - base_; }

	/** find_line() - "file:line" of an offset, that of the user's call where a function of the language was
	 * inlined there; empty: not known. @is_users: receives whether it is no line of the language */
	std::string find_line(uint64_t offset, bool &is_users) const;

private:
	std::string path() const;
	bool find_memory();
	bool take_entries(const struct unpu_kernel_image &image, std::string &why);

	const int file_;
	const uint32_t number_;
	void *library_ = nullptr;
	std::vector<const unpu_kernel_entry *> entries_; /* by name */
	uint64_t base_ = 0;
	uint64_t low_ = 0;
	uint64_t high_ = 0;
};

} // namespace worker
