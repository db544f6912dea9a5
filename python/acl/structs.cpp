// SPDX-License-Identifier: MIT
/**
 * DOC: The structs of AscendCL as dicts
 *
 * What a program gives has the field names of C; what it gets has names in words joined by _. A union is a dict with
 * the one field that is meant.
 */
#include "structs.h"

#include <cstring>

#include "python/call/dict.h"
#include "python/call/result.h"

namespace binding {

namespace {

/* Of @names, the one that the dict has is read as a 32-bit number into @out. */
bool read_one(const Fields &fields, std::initializer_list<const char *> names, uint32_t *out)
{
	const char *given = nullptr;
	if (!fields.are(names))
		return false;
	for (const char *name : names) {
		if (!fields.find(name))
			continue;
		if (given) {
			PyErr_Format(PyExc_TypeError,
				     "%s() argument %zd (%s) has the keys %s and %s; a union has "
				     "one",
				     fields.place().function, fields.place().number,
				     fields.place().name, given, name);
			return false;
		}
		given = name;
	}
	return !given || fields.read(given, out);
}

/* A field that may have a number, or a dict with the field of the union that is meant. */
bool read_union(const Fields &fields, const char *name, std::initializer_list<const char *> names,
		uint32_t *out)
{
	PyObject *value = fields.find(name);
	if (!value)
		return !PyErr_Occurred();
	if (!PyDict_Check(value))
		return fields.read(name, out);
	const Place place{fields.place().function, fields.place().number, name};
	return read_one(Fields(value, place), names, out);
}

} // namespace

template <> bool take(PyObject *value, const Place &place, aclrtMemLocation *out)
{
	const Fields fields(value, place);
	if (!fields.are({"id", "type"}))
		return false;
	return fields.read("id", &out->id) && fields.read("type", &out->type);
}

template <> bool take(PyObject *value, const Place &place, aclrtMemManagedLocation *out)
{
	const Fields fields(value, place);
	if (!fields.are({"id", "type"}))
		return false;
	return fields.read("id", &out->id) && fields.read("type", &out->type);
}

template <> bool take(PyObject *value, const Place &place, aclrtPhysicalMemProp *out)
{
	const Fields fields(value, place);
	if (!fields.are({"handleType", "allocationType", "memAttr", "location", "reserve"}))
		return false;
	return fields.read("handleType", &out->handleType) &&
	       fields.read("allocationType", &out->allocationType) &&
	       fields.read("memAttr", &out->memAttr) && fields.read("location", &out->location) &&
	       fields.read("reserve", &out->reserve);
}

template <> bool take(PyObject *value, const Place &place, aclrtMemAccessDesc *out)
{
	const Fields fields(value, place);
	if (!fields.are({"flags", "location"}))
		return false;
	return fields.read("flags", &out->flags) && fields.read("location", &out->location);
}

template <> bool take(PyObject *value, const Place &place, aclrtMemcpyBatchAttr *out)
{
	const Fields fields(value, place);
	if (!fields.are({"dstLoc", "srcLoc"}))
		return false;
	return fields.read("dstLoc", &out->dstLoc) && fields.read("srcLoc", &out->srcLoc);
}

template <> bool take(PyObject *value, const Place &place, aclrtCntNotifyRecordInfo *out)
{
	const Fields fields(value, place);
	if (!fields.are({"mode", "value"}))
		return false;
	return fields.read("mode", &out->mode) && fields.read("value", &out->value);
}

template <> bool take(PyObject *value, const Place &place, aclrtCntNotifyWaitInfo *out)
{
	const Fields fields(value, place);
	if (!fields.are({"mode", "value", "timeout", "isClear"}))
		return false;
	return fields.read("mode", &out->mode) && fields.read("value", &out->value) &&
	       fields.read("timeout", &out->timeout) && fields.read("isClear", &out->isClear);
}

template <> bool take(PyObject *value, const Place &place, aclrtMallocAttribute *out)
{
	const Fields fields(value, place);
	if (!fields.are({"attr", "value"}))
		return false;
	uint32_t number = 0;
	if (!fields.read("attr", &out->attr) ||
	    !read_union(fields, "value", {"moduleId", "deviceId", "vaFlag"}, &number))
		return false;
	if (out->attr == ACL_RT_MEM_ATTR_MODULE_ID)
		out->value.moduleId = static_cast<uint16_t>(number);
	else
		out->value.deviceId = number;
	return true;
}

template <> bool take(PyObject *value, const Place &place, aclrtBinaryLoadOption *out)
{
	const Fields fields(value, place);
	if (!fields.are({"type", "value"}))
		return false;
	return fields.read("type", &out->type) &&
	       read_union(fields, "value", {"isLazyLoad", "magic", "cpuKernelMode"},
			  &out->value.isLazyLoad);
}

template <> bool take(PyObject *value, const Place &place, aclrtTimeoutUs *out)
{
	const Fields fields(value, place);
	if (!fields.are({"timeoutLow", "timeoutHigh"}))
		return false;
	return fields.read("timeoutLow", &out->timeoutLow) &&
	       fields.read("timeoutHigh", &out->timeoutHigh);
}

template <> bool take(PyObject *value, const Place &place, aclrtLaunchKernelAttr *out)
{
	const Fields fields(value, place);
	if (!fields.are({"id", "value"}) || !fields.read("id", &out->id))
		return false;
	PyObject *given = fields.find("value");
	if (out->id == ACL_RT_LAUNCH_KERNEL_ATTR_TIMEOUT_US && given && PyDict_Check(given)) {
		const Fields parts(given, {place.function, place.number, "value"});
		return parts.are({"timeoutUs"}) && parts.read("timeoutUs", &out->value.timeoutUs);
	}
	return read_union(fields, "value",
			  {"schemMode", "localMemorySize", "dynUBufSize", "engineType",
			   "blockDimOffset", "isBlockTaskPrefetch", "isDataDump", "timeout",
			   "enableProfiling"},
			  &out->value.localMemorySize);
}

bool StructArgument<aclrtMallocConfig>::read(PyObject *value, const Place &place)
{
	const Fields fields(value, place);
	if (!fields.are({"attrs", "numAttrs"}))
		return false;
	PyObject *list = fields.find("attrs");
	if (list ? !attributes_.read(list, {place.function, place.number, "attrs"})
		 : PyErr_Occurred() != nullptr)
		return false;
	config_.attrs = attributes_.data();
	config_.numAttrs = attributes_.size();
	return fields.read("numAttrs", &config_.numAttrs) &&
	       attributes_.of_length(config_.numAttrs, {place.function, place.number, "attrs"});
}

bool StructArgument<aclrtBinaryLoadOptions>::read(PyObject *value, const Place &place)
{
	if (!list_.read(value, place))
		return false;
	options_ = {list_.data(), list_.size()};
	return true;
}

bool StructArgument<aclrtLaunchKernelCfg>::read(PyObject *value, const Place &place)
{
	if (!list_.read(value, place))
		return false;
	config_ = {list_.data(), list_.size()};
	return true;
}

PyObject *give(const aclCANNPackageVersion &version)
{
	return DictBuilder()
		.add("version", give_text(version.version))
		.add("major_version", give_text(version.majorVersion))
		.add("minor_version", give_text(version.minorVersion))
		.add("release_version", give_text(version.releaseVersion))
		.add("patch_version", give_text(version.patchVersion))
		.release();
}

PyObject *give(const aclrtUtilizationInfo &info)
{
	return DictBuilder()
		.add("cube_utilization", give(info.cubeUtilization))
		.add("vector_utilization", give(info.vectorUtilization))
		.add("aicpu_utilization", give(info.aicpuUtilization))
		.add("memory_utilization", give(info.memoryUtilization))
		.add("utilization_extend", give(static_cast<const void *>(info.utilizationExtend)))
		.release();
}

PyObject *give(const aclrtUuid &uuid)
{
	Owned bytes(PyList_New(0));
	for (const char byte : uuid.bytes) {
		Owned number(give(static_cast<uint8_t>(byte)));
		if (!bytes || !number || PyList_Append(bytes.get(), number.get()) != 0)
			return nullptr;
	}
	return DictBuilder().add("bytes", bytes.release()).release();
}

namespace {

PyObject *give_location(const aclrtMemLocation &location)
{
	return DictBuilder()
		.add("id", give(location.id))
		.add("type", give(location.type))
		.release();
}

} // namespace

PyObject *give(const aclrtPtrAttributes &attributes)
{
	return DictBuilder()
		.add("location", give_location(attributes.location))
		.add("page_size", give(attributes.pageSize))
		.add("rsv", give_all(give(attributes.rsv[0]), give(attributes.rsv[1]),
				     give(attributes.rsv[2]), give(attributes.rsv[3])))
		.release();
}

PyObject *give(const aclrtPhysicalMemProp &prop)
{
	return DictBuilder()
		.add("handle_type", give(prop.handleType))
		.add("allocation_type", give(prop.allocationType))
		.add("mem_attr", give(prop.memAttr))
		.add("location", give_location(prop.location))
		.add("reserve", give(prop.reserve))
		.release();
}

namespace {

/* A list of what @make gives for each index. */
template <class Make> PyObject *give_list(size_t count, Make make)
{
	Owned list(PyList_New(0));
	for (size_t i = 0; i < count; i++) {
		const Owned element(make(i));
		if (!list || !element || PyList_Append(list.get(), element.get()) != 0)
			return nullptr;
	}
	return list.release();
}

} // namespace

/* The count is that of the list. The name has no effect. */
template <> bool take(PyObject *value, const Place &place, aclmdlIODims *out)
{
	const Fields fields(value, place);
	PyObject *list = fields.are({"name", "dimCount", "dims"}) ? fields.find("dims") : nullptr;
	if (!list)
		return !PyErr_Occurred();
	Sequence<int64_t> sizes;
	if (!sizes.read(list, place))
		return false;
	if (sizes.size() > ACL_MAX_DIM_CNT) {
		PyErr_Format(PyExc_ValueError, "%s() argument %zd (%s) has more than 128 dims",
			     place.function, place.number, place.name);
		return false;
	}
	out->dimCount = sizes.size();
	for (size_t d = 0; d < sizes.size(); d++)
		out->dims[d] = sizes.data()[d];
	return true;
}

PyObject *give(const aclmdlIODims &dims)
{
	return DictBuilder()
		.add("name", give_text(dims.name))
		.add("dimCount", give(dims.dimCount))
		.add("dims", give_list(dims.dimCount, [&](size_t d) { return give(dims.dims[d]); }))
		.release();
}

PyObject *give(const aclmdlIODimsRange &range)
{
	return DictBuilder()
		.add("rangeCount", give(range.rangeCount))
		.add("range",
		     give_list(range.rangeCount,
			       [&](size_t d) {
				       return give_list(ACL_DIM_ENDPOINTS, [&](size_t end) {
					       return give(range.range[d][end]);
				       });
			       }))
		.release();
}

PyObject *give(const aclmdlBatch &batch)
{
	return DictBuilder()
		.add("batchCount", give(batch.batchCount))
		.add("batch",
		     give_list(batch.batchCount, [&](size_t i) { return give(batch.batch[i]); }))
		.release();
}

PyObject *give(const aclmdlHW &hw)
{
	return DictBuilder()
		.add("hwCount", give(hw.hwCount))
		.add("hw", give_list(hw.hwCount,
				     [&](size_t i) {
					     return give_list(2, [&](size_t k) {
						     return give(hw.hw[i][k]);
					     });
				     }))
		.release();
}

PyObject *give(const aclAippInfo &info)
{
	DictBuilder dict;
#define ADD(name) dict.add(#name, give(info.name))
	ADD(inputFormat);
	ADD(srcImageSizeW);
	ADD(srcImageSizeH);
	ADD(cropSwitch);
	ADD(loadStartPosW);
	ADD(loadStartPosH);
	ADD(cropSizeW);
	ADD(cropSizeH);
	ADD(resizeSwitch);
	ADD(resizeOutputW);
	ADD(resizeOutputH);
	ADD(paddingSwitch);
	ADD(leftPaddingSize);
	ADD(rightPaddingSize);
	ADD(topPaddingSize);
	ADD(bottomPaddingSize);
	ADD(cscSwitch);
	ADD(rbuvSwapSwitch);
	ADD(axSwapSwitch);
	ADD(singleLineMode);
	ADD(matrixR0C0);
	ADD(matrixR0C1);
	ADD(matrixR0C2);
	ADD(matrixR1C0);
	ADD(matrixR1C1);
	ADD(matrixR1C2);
	ADD(matrixR2C0);
	ADD(matrixR2C1);
	ADD(matrixR2C2);
	ADD(outputBias0);
	ADD(outputBias1);
	ADD(outputBias2);
	ADD(inputBias0);
	ADD(inputBias1);
	ADD(inputBias2);
	ADD(meanChn0);
	ADD(meanChn1);
	ADD(meanChn2);
	ADD(meanChn3);
	ADD(minChn0);
	ADD(minChn1);
	ADD(minChn2);
	ADD(minChn3);
	ADD(varReciChn0);
	ADD(varReciChn1);
	ADD(varReciChn2);
	ADD(varReciChn3);
	ADD(srcFormat);
	ADD(srcDatatype);
	ADD(srcDimNum);
	ADD(shapeCount);
#undef ADD
	const auto shape = [&](size_t i) {
		const aclAippDims &dims = info.outDims[i];
		return DictBuilder()
			.add("srcDims", give(dims.srcDims))
			.add("srcSize", give(dims.srcSize))
			.add("aippOutdims", give(dims.aippOutdims))
			.add("aippOutSize", give(dims.aippOutSize))
			.release();
	};
	return dict.add("outDims", give_list(info.shapeCount, shape)).release();
}

} // namespace binding
