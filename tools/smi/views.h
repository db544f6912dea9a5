// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "common/devices.h"

namespace smi {

constexpr const char *NAME = "npu-smi";
constexpr uint64_t MIB = 1 << 20;
/* Printed for a value that a simulated device does not have. */
constexpr const char *NOT_THERE = "NA";

/** struct Wishes - the options of the command line. */
struct Wishes {
	int device = -1;
	std::string type;
	std::string fields = "ptaicmb"; /* for watch: each letter stands for a column */
	uint32_t delay_seconds = 5;
};

/** chosen_devices() - the snapshots of the devices that the user has chosen. Fails like tool::look(), and
 * also if there is no such device. */
tool::Devices chosen_devices(const Wishes &wishes);

/** struct Looks - two snapshots of each device, a short time apart, from which rates are computed. */
struct Looks {
	tool::Devices before;
	tool::Devices now; /* failed if one of the two snapshots failed */
};

/** look_twice() - gets the snapshots of chosen_devices() twice. */
Looks look_twice(const Wishes &wishes);

/** earlier() - the snapshot in @before of the device of @now; @now, if the device came between the two looks. */
const tool::Json &earlier(const tool::Devices &before, const tool::Json &now);

/** bus_id() - the PCI address of a device, as the tables show it. */
std::string bus_id(const tool::Json &device);

/** health_word() - "OK", or "Warning" if the watchdog cut a client off. */
std::string health_word(const tool::Json &device);

/** chip_name() - the short name of a chip: "910B3" for "Ascend910B3". */
std::string chip_name(const tool::Json &device);

/** usage() - how busy @threads were between two snapshots, in percent of the time. @key: busy_ns or
 * engines_busy_ns */
std::string usage(const tool::Json &before, const tool::Json &now, const char *key,
		  uint64_t threads);

/** core_usage() - percent of the time in which the engine threads worked, or kernels of programs ran, whichever is
 * more. */
std::string core_usage(const tool::Json &before, const tool::Json &now);

/** memory_rate() - percent of the device's memory that is used. */
uint64_t memory_rate(const tool::Json &device);

/** type_names() - the names that info -t accepts. */
std::vector<std::string> type_names();

/* Each of these functions runs the command of its name. Return: the exit code. */
int show_table();
int show_list();
int show_map();
int show_topology();
int show_processes(const Wishes &wishes);
int show_type(const Wishes &wishes);
int watch(const Wishes &wishes);

} // namespace smi
