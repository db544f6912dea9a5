// SPDX-License-Identifier: MIT
/*
 * DOC: Tests of fusion
 *
 * What each pass makes one, and what it says of nodes that it leaves. Whether the results are right, the skeletons say.
 */
#include <gtest/gtest.h>

#include "models/passes/import.h"
#include "models/passes/lower.h"
#include "models/passes/pack.h"
#include "proto.h"
#include "uapi/tensor.h"

namespace {

using namespace models;

/* constant() - a tensor of FLOAT without dims, or with @size equal elements. */
std::string constant(std::string_view name, float value, int64_t size = 0)
{
	std::string data;
	for (int64_t i = 0; i < std::max<int64_t>(size, 1); i++)
		data.append(reinterpret_cast<const char *>(&value), sizeof(value));
	return proto::bytes(5, (size ? proto::number(1, size) : "") + proto::number(2, 1) +
				       proto::bytes(8, name) + proto::bytes(9, data));
}

/* struct Fused - a graph of x [2, 3, 8], whose result is y, after the passes. */
struct Fused {
	explicit Fused(const std::string &nodes, std::vector<std::string> unfused = {})
		: file(proto::model(nodes + proto::input("x", 1, {2, 3, 8}) +
				    proto::output("y", 1, {2, 3, 8})))
	{
		model = import_onnx(file, nullptr, "", problems);
		if (!model)
			return;
		model->unfused = std::move(unfused);
		is_good = make_program(*model, std::vector<Binding>{{{2, 3, 8}, nullptr}}, program,
				       problems, &passed);
	}

	/* why() - what a pass says of its only place. */
	std::string why(std::string_view pass) const
	{
		std::string text = "no place";
		for (const Fusion &each : passed.fusions)
			if (each.pass == pass)
				text = text == "no place" ? each.why : "several places";
		return text;
	}
	size_t launches() const { return is_good ? program.launches.size() : 0; }

	const std::string file;
	Problems problems;
	std::unique_ptr<ir::Model> model;
	Program program;
	Passed passed;
	bool is_good = false;
};

std::string norm(int64_t axis, std::string_view divided, int64_t weights)
{
	const std::string axes = proto::integers("axes", {axis});
	return proto::node("ReduceMean", {"x"}, {"m"}, axes) +
	       proto::node("Sub", {"x", "m"}, {"d"}) + proto::node("Pow", {"d", "two"}, {"q"}) +
	       proto::node("ReduceMean", {"q"}, {"v"}, axes) +
	       proto::node("Add", {"v", "e"}, {"s"}) + proto::node("Sqrt", {"s"}, {"r"}) +
	       proto::node("Div", {divided, "r"}, {"n"}) + proto::node("Mul", {"n", "w"}, {"p"}) +
	       proto::node("Add", {"b", "p"}, {"y"}) + constant("two", 2) + constant("e", 1e-5f) +
	       constant("w", 0.5f, weights) + constant("b", 0.25f, weights);
}

TEST(Fuse, NormalisationsOfNineNodes)
{
	const Fused good(norm(-1, "d", 8));
	EXPECT_EQ(good.launches(), 1u);
	EXPECT_EQ(good.why("layer-norm"), "");
	EXPECT_TRUE(good.program.nodes[0].starts_with("LayerNormalization"));
	EXPECT_EQ(Fused(norm(2, "d", 8)).launches(), 1u);
	const Fused off(norm(-1, "d", 8), {"gelu", "layer-norm"});
	EXPECT_EQ(off.launches(), 9u);
	EXPECT_EQ(off.why("layer-norm"), "no place");
	EXPECT_NE(Fused(norm(1, "d", 8)).why("layer-norm").find("along the last dim"),
		  std::string::npos);
	EXPECT_NE(Fused(norm(-1, "x", 8)).why("layer-norm").find("does not divide"),
		  std::string::npos);
	EXPECT_NE(Fused(norm(-1, "d", 0)).why("layer-norm").find("as long as a row"),
		  std::string::npos);
}

std::string erf(float by, float one)
{
	return proto::node("Div", {"x", "by"}, {"d"}) + proto::node("Erf", {"d"}, {"f"}) +
	       proto::node("Add", {"one", "f"}, {"s"}) + constant("by", by) + constant("one", one) +
	       constant("half", 0.5f);
}

TEST(Fuse, GeluByErf)
{
	const std::string begin = erf(1.4142135f, 1),
			  way[] = {
				  proto::node("Mul", {"x", "s"}, {"p"}) +
					  proto::node("Mul", {"p", "half"}, {"y"}),
				  proto::node("Mul", {"s", "half"}, {"p"}) +
					  proto::node("Mul", {"p", "x"}, {"y"}),
				  proto::node("Mul", {"half", "x"}, {"p"}) +
					  proto::node("Mul", {"s", "p"}, {"y"}),
			  };
	for (const std::string &each : way) {
		const Fused good(begin + each);
		EXPECT_EQ(good.launches(), 1u) << good.why("gelu");
	}
	EXPECT_EQ(Fused(begin + way[0], {"gelu"}).launches(), 5u);
	EXPECT_NE(Fused(erf(1.5f, 1) + way[0]).why("gelu").find("root of 2"), std::string::npos);
	EXPECT_NE(Fused(erf(1.4142135f, 2) + way[0]).why("gelu").find("added to 1"),
		  std::string::npos);
	const std::string twice =
		proto::node("Mul", {"s", "half"}, {"p"}) + proto::node("Mul", {"p", "half"}, {"y"});
	EXPECT_NE(Fused(begin + twice).why("gelu").find("not with x or 0.5"), std::string::npos);
	EXPECT_EQ(Fused(begin + twice).launches(), 5u);
}

TEST(Fuse, SiluOfTwoNodes)
{
	const std::string sigmoid = proto::node("Sigmoid", {"x"}, {"s"});
	const std::string product = proto::node("Mul", {"s", "x"}, {"p"});
	EXPECT_EQ(Fused(sigmoid + proto::node("Mul", {"s", "x"}, {"y"})).launches(), 1u);
	/* A second reader of the sigmoid needs it. */
	const Fused two(sigmoid + product + proto::node("Add", {"s", "p"}, {"y"}));
	EXPECT_EQ(two.launches(), 3u);
	EXPECT_NE(two.why("silu").find("not only multiplied"), std::string::npos);
}

TEST(Fuse, HardSwishOfFourNodes)
{
	const std::string begin = proto::node("Add", {"x", "three"}, {"a"}) +
				  proto::node("Clip", {"a", "zero", "six"}, {"c"}) +
				  constant("three", 3) + constant("zero", 0) + constant("six", 6);
	const std::string product = proto::node("Mul", {"x", "c"}, {"m"});
	EXPECT_EQ(Fused(begin + product + proto::node("Div", {"m", "six"}, {"y"})).launches(), 1u);
	const Fused other(begin + product + proto::node("Div", {"m", "three"}, {"y"}));
	EXPECT_EQ(other.launches(), 4u);
	EXPECT_EQ(other.why("hard-swish"), "no product with x and quotient by 6 follow");
}

/* weights() - a constant of FLOAT, all of whose elements are equal. */
std::string weights(std::string_view name, const std::vector<int64_t> &dims)
{
	std::string text = proto::number(2, 1) + proto::bytes(8, name), data;
	int64_t count = 1;
	for (const int64_t dim : dims) {
		text += proto::number(1, dim);
		count *= dim;
	}
	const float value = 0.5f;
	for (int64_t i = 0; i < count; i++)
		data.append(reinterpret_cast<const char *>(&value), sizeof(value));
	return proto::bytes(5, text + proto::bytes(9, data));
}

/* struct Images - a graph of x [1, 4, 6, 6] whose result y has that shape, compiled as atc does. */
struct Images {
	explicit Images(const std::string &nodes, std::vector<std::string> unfused = {})
		: file(proto::model(nodes + proto::input("x", 1, {1, 4, 6, 6}) +
				    proto::output("y", 1, {1, 4, 6, 6})))
	{
		model = import_onnx(file, nullptr, "", problems);
		model->unfused = std::move(unfused);
		pack_convolutions(*model);
		is_good = make_program(*model, std::vector<Binding>{{{1, 4, 6, 6}, nullptr}},
				       program, problems, &passed);
	}
	size_t count(uint32_t kind) const
	{
		return static_cast<size_t>(std::ranges::count_if(
			program.launches, [&](const Launch &each) { return each.kind == kind; }));
	}
	std::string why() const
	{
		return passed.fusions.empty() ? "no place" : passed.fusions.back().why;
	}

	const std::string file;
	Problems problems;
	std::unique_ptr<ir::Model> model;
	Program program;
	Passed passed;
	bool is_good = false;
};

std::string conv(std::string_view from, std::string_view to, std::string_view by,
		 const std::string &more = "")
{
	return proto::node("Conv", {from, by}, {to}, proto::integers("pads", {1, 1, 1, 1}) + more);
}

TEST(Fuse, ConvolutionsOfImages)
{
	const std::string all = conv("x", "a", "w") + proto::node("Relu", {"a"}, {"b"}) +
				conv("b", "c", "v") + proto::node("Add", {"b", "c"}, {"d"}) +
				proto::node("Relu", {"d"}, {"y"}) + weights("w", {4, 4, 3, 3}) +
				weights("v", {4, 4, 3, 3});
	const Images good(all);
	EXPECT_TRUE(good.is_good);
	EXPECT_EQ(good.count(UNPU_TENSOR_PACKED_CONVOLUTION), 2u);
	/* Copies of x and of y change the order of the dims in memory. */
	EXPECT_EQ(good.program.launches.size(), 4u);
	EXPECT_EQ(good.count(UNPU_TENSOR_CAST), 2u);
	const Images off(all, {PACKED});
	EXPECT_EQ(off.count(UNPU_TENSOR_CONVOLUTION), 2u);
	EXPECT_EQ(off.program.launches.size(), 5u);
}

TEST(Fuse, ConvolutionsThatStay)
{
	const std::string pair = weights("w", {4, 2, 3, 3});
	EXPECT_EQ(Images(conv("x", "y", "w", proto::integer("group", 2)) + pair).why(),
		  "its groups have several channels");
	EXPECT_EQ(Images(conv("x", "a", "w") + conv("a", "y", "w") + weights("w", {4, 4, 3, 3}))
			  .why(),
		  "its weights are read elsewhere, too");
	EXPECT_EQ(Images(proto::node("Relu", {"w"}, {"v"}) + conv("x", "y", "v") +
			 weights("w", {4, 4, 3, 3}))
			  .count(UNPU_TENSOR_PACKED_CONVOLUTION),
		  0u);
	const Images deep(conv("x", "y", "w", proto::integer("group", 4)) +
			  weights("w", {4, 1, 3, 3}));
	EXPECT_EQ(deep.why(), "");
	EXPECT_EQ(deep.count(UNPU_TENSOR_PACKED_CONVOLUTION), 1u);
}

} // namespace
