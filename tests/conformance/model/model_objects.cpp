// SPDX-License-Identifier: MIT
/*
 * DOC: models as objects
 *
 * Names, numbers, functions that run when a model is destroyed, drawings, and what the end of a
 * broken capture reports.
 */
#include "capture/capture_objects.h"
#include "folder.h"
#include "support/child_process.h"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "unpu/unpu.h"

namespace conformance {

namespace {

using ModelObject = DeviceTest;

std::string read(const std::string &path)
{
	std::ifstream file(path);
	std::ostringstream text;

	text << file.rdbuf();
	return text.str();
}

std::string name_of(aclmdlRI model, uint32_t bytes)
{
	std::string name(601, '#');

	EXPECT_OK(aclmdlRIGetName(model, bytes, name.data()));
	const std::string text = name.c_str();
	EXPECT_LT(text.size(), bytes);
	EXPECT_EQ(name[bytes], '#') << "nothing is written past the array";
	return text;
}

void count_up(void *data)
{
	++*static_cast<int *>(data);
}

void count_by_ten(void *data)
{
	*static_cast<int *>(data) += 10;
}

} // namespace

TEST_F(ModelObject, NamesAreKeptAndCut)
{
	const Stream stream;
	begin_capture(stream);
	const Model model(stream);

	EXPECT_EQ(name_of(model, 600), "");
	EXPECT_OK(aclmdlRISetName(model, "first"));
	EXPECT_OK(aclmdlRISetName(model, "second"));
	EXPECT_EQ(name_of(model, 600), "second");
	EXPECT_EQ(name_of(model, 4), "sec");
	EXPECT_EQ(name_of(model, 1), "");
	EXPECT_OK(aclmdlRISetName(model, std::string(511, 'x').c_str()));
	EXPECT_EQ(name_of(model, 600).size(), 511u);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "511",
		     aclmdlRISetName(model, std::string(512, 'x').c_str()));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "name", aclmdlRISetName(model, nullptr));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "name", aclmdlRIGetName(model, 4, nullptr));
}

TEST_F(ModelObject, NumbersAreNeverTheSame)
{
	const Stream stream;
	begin_capture(stream);
	const Model first(stream);
	begin_capture(stream);
	const Model second(stream);
	uint32_t one = 0;
	uint32_t two = 0;

	EXPECT_OK(aclmdlRIGetId(first, &one));
	EXPECT_OK(aclmdlRIGetId(second, &two));
	EXPECT_NE(one, two);
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "Id", aclmdlRIGetId(first, nullptr));
}

TEST_F(ModelObject, CallbacksRunAtTheEnd)
{
	const Stream stream;
	aclmdlRI model = nullptr;
	int count = 0;

	begin_capture(stream);
	ASSERT_OK(aclmdlRICaptureEnd(stream, &model));
	EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, count_up, &count));
	EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, count_up, &count));
	EXPECT_OK(aclmdlRIDestroyRegisterCallback(model, count_by_ten, &count));
	EXPECT_OK(aclmdlRIDestroyUnregisterCallback(model, count_by_ten));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "func",
		     aclmdlRIDestroyUnregisterCallback(model, count_by_ten));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "func",
		     aclmdlRIDestroyRegisterCallback(model, nullptr, &count));
	EXPECT_EQ(count, 0);
	EXPECT_OK(aclmdlRIDestroy(model));
	EXPECT_EQ(count, 2);
	EXPECT_FAILS(ACL_ERROR_RT_INVALID_HANDLE, "model", aclmdlRIDestroy(model));
}

TEST_F(ModelObject, CapturedModelsAreExecutedByWaiting)
{
	const Stream stream;
	const DeviceBuffer a(64);
	const DeviceBuffer b(64);
	begin_capture(stream);
	copy_async(b, a, stream);
	const Model model(stream);

	for (const int value : {3, 4}) {
		a.fill_async(value, nullptr);
		EXPECT_OK(aclmdlRIExecute(model, value == 3 ? -1 : 60000));
		EXPECT_TRUE(holds(b, value));
	}
	a.fill_async(5, stream);
	EXPECT_OK(aclmdlRIExecute(model, -1));
	EXPECT_TRUE(holds(b, 5));
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "timeout", aclmdlRIExecute(model, 0));
}

TEST_F(ModelObject, CapturedModelsAreAborted)
{
	const Stream origin;
	const Stream other;
	const DeviceBuffer out(64);
	Gate gate;
	begin_capture(origin);
	out.fill_async(1, origin);
	const Model model(origin);

	EXPECT_OK(aclmdlRIAbort(model));
	EXPECT_OK(aclrtStreamWaitEvent(nullptr, gate.event()));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, "limit", aclmdlRIExecute(model, 5));
	EXPECT_OK(aclmdlRIAbort(model));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "abort", aclrtSynchronizeStream(nullptr));
	EXPECT_OK(aclrtStreamWaitEvent(other, gate.event()));
	model.execute(other);
	EXPECT_OK(aclmdlRIAbort(model));
	EXPECT_FAILS(ACL_ERROR_RT_STREAM_ABORT, "abort", aclrtSynchronizeStream(other));
	EXPECT_TRUE(holds(out, 0));
	gate.open();
	EXPECT_OK(aclmdlRIExecute(model, -1));
	EXPECT_TRUE(holds(out, 1));
}

TEST_F(ModelObject, AModelThatIsCapturedIsNotExecuted)
{
	const Stream stream;
	aclmdlRI model = nullptr;
	begin_capture(stream);
	EXPECT_OK(aclmdlRICaptureGetInfo(stream, nullptr, &model));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "capture", aclmdlRIExecute(model, -1));
	EXPECT_FAILS(ACL_ERROR_RT_MODEL_CAPTURED, "capture", aclmdlRIAbort(model));
	const Model ended(stream);
}

TEST_F(ModelObject, ATraceHasNodesStreamsAndTimes)
{
	const Stream stream;
	const Stream joined;
	const Event fork = Event::ex(ACL_EVENT_SYNC);
	const Event join = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer buffer(64);
	const Folder folder;

	begin_capture(stream);
	buffer.fill_async(1, stream);
	EXPECT_OK(aclrtCacheLastTaskExtendInfo("{\"layer\": 7}", 13));
	follow(joined, stream, fork);
	buffer.fill_async(2, joined);
	follow(stream, joined, join);
	buffer.fill_async(3, stream);
	const Model model(stream);
	EXPECT_OK(aclmdlRISetName(model, "the name"));
	const std::string path = folder.file("trace.json");
	ASSERT_OK(aclmdlRIDebugJsonPrint(model, path.c_str(), 0));
	std::string text = read(path);
	EXPECT_NE(text.find("\"traceEvents\""), std::string::npos);
	EXPECT_NE(text.find("the name"), std::string::npos);
	EXPECT_NE(text.find("\"ran\":false"), std::string::npos);
	EXPECT_NE(text.find("\"after\":[0,1]"), std::string::npos);
	EXPECT_NE(text.find("layer"), std::string::npos);
	EXPECT_NE(text.find("\"tid\":1"), std::string::npos);
	model.execute(stream);
	EXPECT_OK(aclrtSynchronizeStream(stream));
	ASSERT_OK(aclmdlRIDebugJsonPrint(model, path.c_str(), 1));
	text = read(path);
	EXPECT_EQ(text.find("\"ran\":false"), std::string::npos) << "looking once is asking";
	EXPECT_NE(text.find("\"ran\":true"), std::string::npos);
	EXPECT_FAILS(ACL_ERROR_RT_PARAM_INVALID, "flags",
		     aclmdlRIDebugJsonPrint(model, path.c_str(), 2));
	EXPECT_FAILS(ACL_ERROR_INVALID_PARAM, "path", aclmdlRIDebugJsonPrint(model, nullptr, 0));
	EXPECT_FAILS(ACL_ERROR_INVALID_FILE, "written",
		     aclmdlRIDebugJsonPrint(model, folder.file("no/such").c_str(), 0));
}

TEST_F(ModelObject, DrawingsShowNodesAndDependencies)
{
	const Stream stream;
	const DeviceBuffer buffer(64);
	const Folder folder;

	begin_capture(stream);
	buffer.fill_async(1, stream);
	buffer.fill_async(2, stream);
	const Model model(stream);
	const std::string dot = folder.file("model.dot");
	const std::string svg = folder.file("model.svg");
	EXPECT_EQ(unpu_model_draw(model, dot.c_str(), UNPU_DRAW_DOT), 0u);
	EXPECT_EQ(unpu_model_draw(model, svg.c_str(), UNPU_DRAW_SVG), 0u);
	EXPECT_NE(read(dot).find("digraph"), std::string::npos);
	EXPECT_NE(read(dot).find("n0 -> n1"), std::string::npos);
	EXPECT_NE(read(svg).find("<svg"), std::string::npos);
	EXPECT_NE(read(svg).find("fill 64 bytes"), std::string::npos);
	EXPECT_NE(unpu_model_draw(model, svg.c_str(), 99), 0u);
	EXPECT_NE(unpu_model_draw(stream, svg.c_str(), UNPU_DRAW_SVG), 0u);
}

/* number() - of the attribute @name in a tag. */
static double number(const std::string &tag, const std::string &name)
{
	const size_t at = tag.find(" " + name + "=\"");
	return at == tag.npos ? -1 : std::stod(tag.substr(at + name.size() + 3));
}

TEST_F(ModelObject, APictureHasEachTextInsideItsBox)
{
	const Stream stream;
	const Stream other;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer buffer(64);
	const Folder folder;

	begin_capture(stream);
	buffer.fill_async(1, stream);
	follow(other, stream, event);
	buffer.fill_async(2, other);
	follow(stream, other, event);
	const Model model(stream);
	const std::string path = folder.file("model.svg");
	ASSERT_EQ(unpu_model_draw(model, path.c_str(), UNPU_DRAW_SVG), 0u);
	const std::string text = read(path);
	EXPECT_NE(text.find(">stream 0</text>"), std::string::npos);
	EXPECT_NE(text.find(">stream 1</text>"), std::string::npos);
	EXPECT_NE(text.find("<marker id=\"head\""), std::string::npos);
	EXPECT_NE(text.find("marker-end=\"url(#head)\""), std::string::npos);
	EXPECT_NE(text.find(">copy or fill</text>"), std::string::npos) << "the legend";
	size_t boxes = 0;
	for (size_t at = text.find("<g>"); at != text.npos; at = text.find("<g>", at + 1)) {
		const std::string box =
			text.substr(text.find("<rect", at), text.find("</g>", at) - at);
		for (size_t line = box.find("<text"); line != box.npos;
		     line = box.find("<text", line + 1)) {
			const std::string label = box.substr(line);
			const size_t begin = label.find('>') + 1;
			const size_t characters = label.find('<', begin) - begin;
			constexpr double WIDEST = 6.65; /* of a monospaced font of 11 pixels */
			EXPECT_GT(number(label, "x"), number(box, "x"));
			EXPECT_LT(number(label, "x") + static_cast<double>(characters) * WIDEST,
				  number(box, "x") + number(box, "width"))
				<< box;
			EXPECT_LT(number(label, "y"), number(box, "y") + number(box, "height"));
		}
		boxes++;
	}
	EXPECT_GE(boxes, 2u);
}

/* Labels are whole, whatever their length, and a model that has run shows what its tasks took. */
TEST_F(ModelObject, APictureHasWholeLabelsAndTimes)
{
	const Stream stream;
	const DeviceBuffer buffer(64), other(64);
	const Folder folder;

	begin_capture(stream);
	EXPECT_OK(aclrtMemcpyAsync(other.data(), 64, buffer.data(), 64, ACL_MEMCPY_DEVICE_TO_DEVICE,
				   stream));
	const Model model(stream);
	const std::string path = folder.file("model.svg");
	/* Times are kept from the first drawing on. */
	ASSERT_EQ(unpu_model_draw(model, path.c_str(), UNPU_DRAW_SVG), 0u);
	EXPECT_OK(aclmdlRIExecuteAsync(model, stream));
	EXPECT_OK(aclrtSynchronizeStream(stream));
	ASSERT_EQ(unpu_model_draw(model, path.c_str(), UNPU_DRAW_SVG), 0u);
	const std::string text = read(path);
	EXPECT_EQ(text.find("..."), std::string::npos) << text;
	EXPECT_NE(text.find(">took "), std::string::npos) << text;
}

TEST_F(ModelObject, TheEndTellsWhichCallWasRefusedFirst)
{
	const Stream stream;
	const Stream lost;
	const Event event = Event::ex(ACL_EVENT_SYNC);
	const DeviceBuffer buffer(64);
	aclmdlRI model = nullptr;
	char host[64] = {};

	begin_capture(stream);
	follow(lost, stream, event);
	std::thread([&] {
		EXPECT_OK(aclrtSetDevice(0));
		EXPECT_EQ(aclrtMemcpy(host, 64, buffer.data(), 64, ACL_MEMCPY_DEVICE_TO_HOST),
			  ACL_ERROR_RT_CAPTURE_MODE_NOT_SUPPORT);
		EXPECT_OK(aclrtResetDevice(0));
	}).join();
	EXPECT_EQ(aclrtSynchronizeStream(lost), ACL_ERROR_RT_STREAM_CAPTURED);
	take_message();
	EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_ERROR_RT_STREAM_UNJOINED);
	const std::string text = take_message();
	EXPECT_NE(text.find("joined"), std::string::npos) << text;
	EXPECT_NE(text.find("aclrtMemcpy"), std::string::npos) << text;
	EXPECT_NE(text.find("thread"), std::string::npos) << text;

	begin_capture(stream);
	follow(lost, stream, event);
	EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_ERROR_RT_STREAM_UNJOINED);
	EXPECT_EQ(take_message().find("aclrtMemcpy"), std::string::npos) << "that was another one";
}

TEST(ModelDebug, ABrokenCaptureIsDrawn)
{
	const Folder folder;

	setenv("UNPU_DEBUG", folder.path().c_str(), 0);
	if (!alone()) {
		unsetenv("UNPU_DEBUG");
		return;
	}
	open_device();
	{
		const Stream stream;
		const Stream lost;
		const Event event = Event::ex(ACL_EVENT_SYNC);
		const DeviceBuffer buffer(64);
		aclmdlRI model = nullptr;

		begin_capture(stream);
		buffer.fill_async(1, stream);
		follow(lost, stream, event);
		buffer.fill_async(2, lost);
		take_message();
		EXPECT_EQ(aclmdlRICaptureEnd(stream, &model), ACL_ERROR_RT_STREAM_UNJOINED);
		const std::string text = take_message();
		const size_t at = text.find(getenv("UNPU_DEBUG"));
		ASSERT_NE(at, std::string::npos) << text;
		const std::string path = text.substr(at, text.find_first_of(" \n;", at) - at);
		EXPECT_NE(read(path).find("fill 64 bytes"), std::string::npos) << path;
		EXPECT_NE(read(path).find("n0 -> n1"), std::string::npos);
	}
	close_device();
}

} // namespace conformance
