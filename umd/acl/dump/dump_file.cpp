// SPDX-License-Identifier: MIT
/**
 * DOC: Files of dumps
 *
 * A tensor is written as a .npy file of its logical elements in row-major order. A JSON file with the same
 * name describes its layout in memory. If the disk is full, the folder does not exist or a file is too large,
 * only that file fails.
 */
#include "dump_file.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/json/text.h"
#include "base/os/calls/files.h"
#include "base/os/calls/transfers.h"
#include "base/size_signal.h"
#include "drv/device.h"
#include "uapi/tensor.h"
#include "umd/core/device/device_state.h"

namespace umd {

using OrderedJson = nlohmann::ordered_json;

namespace {

struct ElementType {
	uint32_t dtype;
	const char *name;
	const char *npy; /* .npy has no BF16, so the bits are written */
};

constexpr ElementType TYPES[] = {
	{UNPU_DTYPE_F32, "F32", "<f4"},	  {UNPU_DTYPE_F16, "F16", "<f2"},
	{UNPU_DTYPE_BF16, "BF16", "<u2"}, {UNPU_DTYPE_I8, "I8", "|i1"},
	{UNPU_DTYPE_I16, "I16", "<i2"},	  {UNPU_DTYPE_I32, "I32", "<i4"},
	{UNPU_DTYPE_I64, "I64", "<i8"},	  {UNPU_DTYPE_U8, "U8", "|u1"},
	{UNPU_DTYPE_BOOL, "BOOL", "|b1"}, {UNPU_DTYPE_F64, "F64", "<f8"},
};

const ElementType &type_of(const DumpTensor &tensor)
{
	for (const ElementType &type : TYPES) {
		if (type.dtype == tensor.dtype)
			return type;
	}
	return TYPES[7];
}

OrderedJson tensor_json(const DumpTensor &tensor)
{
	return {{"kind", role_name(tensor.role)}, {"index", tensor.index},
		{"dtype", type_of(tensor).name},  {"data_type", tensor.type_number},
		{"format", tensor.format},	  {"shape", tensor.dims},
		{"strides", tensor.strides},	  {"offset", tensor.offset},
		{"storage_shape", tensor.storage}};
}

/* Lists the operands with their addresses. */
void add_tensors(OrderedJson &json, const std::vector<DumpTensor> &tensors)
{
	for (const DumpTensor &tensor : tensors) {
		OrderedJson entry = tensor_json(tensor);
		entry["address"] = fmt::format("{:#x}", tensor.address);
		json["tensors"].push_back(std::move(entry));
	}
}

OrderedJson operator_json(const DumpOperator &op)
{
	OrderedJson json = {{"op_type", op.type}, {"op_name", op.name}};
	OrderedJson attributes = OrderedJson::object();
	for (const auto &[name, value] : op.attributes)
		attributes[name] = value;
	json["attributes"] = std::move(attributes);
	return json;
}

std::string print(const OrderedJson &json)
{
	return base::write_json(json, 1, '\t') + "\n";
}

} // namespace

DumpFile::~DumpFile()
{
	if (fd_ >= 0)
		base::calls::close(fd_);
}

bool DumpFile::open()
{
	constexpr int FLAGS = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW;
	fd_ = base::calls::open(path_.c_str(), FLAGS, 0640);
	if (fd_ < 0 && errno == ENOENT &&
	    make_folder(std::filesystem::path(path_).parent_path().string()))
		fd_ = base::calls::open(path_.c_str(), FLAGS, 0640);
	if (fd_ < 0)
		give_up(std::strerror(errno));
	return fd_ >= 0;
}

bool DumpFile::write_all(const std::byte *bytes, size_t size)
{
	const base::WithoutSizeSignal scope;
	const bool is_written = base::calls::write_all(fd_, bytes, size);
	if (!is_written)
		give_up(std::strerror(errno));
	return is_written;
}

bool DumpFile::put(const void *bytes, size_t size, bool last)
{
	const auto *from = static_cast<const std::byte *>(bytes);
	if (failed())
		return false;
	if (taker_) {
		if (!(*taker_)({path_.c_str(), offset_, from, size, last}))
			give_up("the function of the program did not take it");
	} else if (fd_ >= 0 || open()) {
		(void)write_all(from, size);
	}
	offset_ += static_cast<int64_t>(size);
	return !failed();
}

void DumpFile::give_up(const std::string &why)
{
	why_ = path_ + ": " + why;
	if (fd_ >= 0)
		unlink(path_.c_str());
}

/* A file has a name of at most 255 bytes, of which the rest of the name needs some. */
std::string file_part(std::string name)
{
	constexpr size_t MOST = 96;
	for (char &c : name) {
		const auto byte = static_cast<unsigned char>(c);
		if (byte <= ' ' || byte == 0x7f || c == '.' || c == '/' || c == '\\')
			c = '_';
	}
	return name.substr(0, MOST);
}

bool make_folder(const std::string &path)
{
	std::error_code error;
	std::filesystem::create_directories(path, error);
	return access(path.c_str(), W_OK | X_OK) == 0 && std::filesystem::is_directory(path, error);
}

const char *role_name(DumpTensor::Role role)
{
	switch (role) {
	case DumpTensor::Role::INPUT:
		return "input";
	case DumpTensor::Role::OUTPUT:
		return "output";
	case DumpTensor::Role::WORKSPACE:
		break;
	}
	return "workspace";
}

std::string npy_header(const DumpTensor &tensor)
{
	constexpr size_t FIXED = 10;
	constexpr size_t ALIGNMENT = 64;
	std::string shape;
	for (int64_t dim : tensor.dims)
		shape += fmt::format("{}, ", dim);
	if (tensor.dims.size() > 1)
		shape.resize(shape.size() - 2);
	std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}",
				       type_of(tensor).npy, shape);
	while ((FIXED + text.size() + 1) % ALIGNMENT != 0)
		text.push_back(' ');
	text.push_back('\n');
	std::string header("\x93NUMPY\x01\x00", 8);
	header.push_back(static_cast<char>(text.size() & 0xff));
	header.push_back(static_cast<char>(text.size() >> 8));
	return header + text;
}

std::string describe_operator(const DumpOperator &op)
{
	OrderedJson json = operator_json(op);
	for (const DumpTensor &tensor : op.tensors)
		json["tensors"].push_back(tensor_json(tensor));
	return print(json);
}

std::string describe_run(const DumpRun &run, const std::string &note)
{
	OrderedJson json = operator_json(*run.op);
	if (run.device)
		json["device"] = run.device->index;
	json["stream"] = run.stream;
	json["task"] = run.task;
	if (!note.empty())
		json["note"] = note;
	add_tensors(json, run.op->tensors);
	return print(json);
}

std::string describe_saved(const std::string &tag, const std::vector<DumpTensor> &tensors)
{
	OrderedJson json = {{"user_tag", tag}};
	add_tensors(json, tensors);
	return print(json);
}

} // namespace umd
