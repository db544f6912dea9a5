// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "common/devices.h"

namespace smi {

constexpr const char *NAME = "npu-smi";
constexpr uint64_t MIB = 1 << 20;
/* What a simulated device has not. */
constexpr const char *NOT_THERE = "NA";

/** struct Wishes - the command line. */
struct Wishes {
	int device = -1; /* -i; -1: all */
	std::string type;
	std::string fields = "ptaicmb"; /* watch: a column for each letter */
	uint32_t delay_seconds = 5;
};

/** chosen_devices() - the snapshots of the devices that are asked for. Fails like tool::look(); and if there is no such
 * device. */
tool::Devices chosen_devices(const Wishes &wishes);

/** struct Looks - snapshots, a short time apart, of which rates are made. */
struct Looks {
	tool::Devices before;
	tool::Devices now; /* fails if one of the looks did */
};

/** look_twice() - as chosen_devices(), twice. */
Looks look_twice(const Wishes &wishes);

/** earlier() - the snapshot in @before of the device of @now; @now, if the device came between the two looks. */
const tool::Json &earlier(const tool::Devices &before, const tool::Json &now);

/** bus_id() - the PCI address of a device, as the tables show it. */
std::string bus_id(const tool::Json &device);

/** health_word() - "OK", or "Warning" if the watchdog cut a client off. */
std::string health_word(const tool::Json &device);

/** chip_name() - "910B3" of "Ascend910B3". */
std::string chip_name(const tool::Json &device);

/** usage() - percent of the time between two snapshots that @threads were busy. @key: busy_ns or engines_busy_ns */
std::string usage(const tool::Json &before, const tool::Json &now, const char *key,
		  uint64_t threads);

/** memory_rate() - percent of the device's memory that is used. */
uint64_t memory_rate(const tool::Json &device);

/** type_names() - what info -t takes. */
std::vector<std::string> type_names();

/* Each prints what it is named for. Return: the exit code. */
int show_table();
int show_list();
int show_map();
int show_topology();
int show_processes(const Wishes &wishes);
int show_type(const Wishes &wishes);
int watch(const Wishes &wishes);

} // namespace smi
