# SPDX-License-Identifier: MIT
"""Models whose input is made of images, beside numpy: random configurations of atc, and random steps of a run."""
import os
import random
import subprocess
import sys

import numpy
import pytest
from interface import DEVICE_TO_HOST, HOST_TO_DEVICE, NORMAL_ONLY

sys.path.insert(0, os.path.join(os.environ["UNPU_SOURCE"], "tests", "models"))
from onnx_bytes import node, number, part, port  # noqa: E402

FLOAT, FLOAT16 = 1, 10
TYPES = {FLOAT: numpy.float32, FLOAT16: numpy.float16}
# Name -> number, channels, pixels in a row and rows that share colours, bytes of one pixel.
FORMATS = {"YUV420SP_U8": (1, 3, 2, 2, 1.5), "XRGB8888_U8": (2, 4, 1, 1, 4), "RGB888_U8": (3, 3, 1, 1, 3),
           "YUV400_U8": (4, 1, 1, 1, 1), "ARGB8888_U8": (7, 4, 1, 1, 4), "YUYV_U8": (8, 3, 2, 1, 2),
           "YUV422SP_U8": (9, 3, 2, 1, 2), "AYUV444_U8": (10, 4, 1, 1, 4)}


def is_yuv(name):
    return "YUV" in name and name != "YUV400_U8" or name == "YUYV_U8"


def planes(name, data, height, width):
    """The channels of an image, A or X last, as integers [channel, height, width]."""
    data = data.astype(numpy.int32)
    if name == "YUV400_U8":
        return data.reshape(1, height, width)
    if name in ("YUV420SP_U8", "YUV422SP_U8"):
        rows = 2 if name == "YUV420SP_U8" else 1
        luma = data[:height * width].reshape(height, width)
        pairs = data[height * width:].reshape(height // rows, width // 2, 2)
        colours = [numpy.repeat(numpy.repeat(pairs[:, :, k], rows, 0), 2, 1) for k in range(2)]
        return numpy.stack([luma, *colours])
    if name == "YUYV_U8":
        both = data.reshape(height, width // 2, 4)
        luma = both[:, :, 0::2].reshape(height, width)
        return numpy.stack([luma, numpy.repeat(both[:, :, 1], 2, 1), numpy.repeat(both[:, :, 3], 2, 1)])
    return data.reshape(height, width, -1).transpose(2, 0, 1)


def wanted(name, data, case, channels, dtype):
    """What the network gets of one image."""
    image = planes(name, data, case["src_h"], case["src_w"])
    if len(image) == 4 and not case["ax"]:
        image = image[[1, 2, 3, 0]]
    if case["rbuv"] and len(image) >= 3:
        image = image[[0, 2, 1, 3][:len(image)]] if is_yuv(name) else image[[2, 1, 0, 3][:len(image)]]
    top, left, high, wide = case["crop"]
    image = image[:, top:top + high, left:left + wide]
    if case["csc"]:
        matrix = numpy.array(case["matrix"]).reshape(3, 3)
        low = case["input_bias"] if is_yuv(name) else (0, 0, 0)
        high_bias = (0, 0, 0) if is_yuv(name) else case["output_bias"]
        moved = image[:3] - numpy.array(low).reshape(3, 1, 1)
        turned = (numpy.einsum("ij,jhw->ihw", matrix, moved) >> 8) + numpy.array(high_bias).reshape(3, 1, 1)
        image = numpy.concatenate([numpy.clip(turned, 0, 255), image[3:]])
    numbers = image[:channels].astype(numpy.float32)
    for c in range(channels):
        numbers[c] = (numbers[c] - numpy.float32(case["mean"][c]) - numpy.float32(case["min"][c])) * \
            numpy.float32(case["var"][c])
    top, bottom, left, right = case["pad"]
    return numpy.pad(numbers, ((0, 0), (top, bottom), (left, right)), constant_values=case["value"]).astype(dtype)


def random_case(pick, name, dynamic=False):
    """@dynamic: as setters have it, without a value of the border."""
    _, given, columns, rows, _ = FORMATS[name]
    case = {"src_w": columns * pick.randint(2, 40), "src_h": rows * pick.randint(2, 20)}
    high, wide = case["src_h"], case["src_w"]
    case["crops"] = pick.random() < 0.5
    case["crop"] = (0, 0, high, wide)
    if case["crops"]:
        high, wide = rows * pick.randint(1, high // rows), columns * pick.randint(1, wide // columns)
        case["crop"] = (rows * pick.randint(0, (case["src_h"] - high) // rows),
                        columns * pick.randint(0, (case["src_w"] - wide) // columns), high, wide)
    case["pads"] = pick.random() < 0.5
    case["pad"] = tuple(pick.randint(0, 5) for _ in range(4)) if case["pads"] else (0, 0, 0, 0)
    case["value"] = numpy.float32(pick.randint(-9, 9) if case["pads"] and not dynamic else 0)
    case["csc"] = given >= 3 and pick.random() < 0.6
    case["rbuv"], case["ax"] = pick.random() < 0.5, given == 4 and pick.random() < 0.5
    case["matrix"] = [pick.randint(-512, 512) for _ in range(9)]
    case["input_bias"], case["output_bias"] = ([pick.randint(0, 255) for _ in range(3)] for _ in range(2))
    case["mean"] = [pick.randint(0, 255) for _ in range(4)]
    case["min"], case["var"] = ([round(pick.uniform(0.001, most), 4) for _ in range(4)] for most in (200, 0.2))
    return case


def config(name, case):
    """The text of an aipp_op."""
    lines = {"aipp_mode": "static", "input_format": name, "csc_switch": case["csc"], "rbuv_swap_switch": case["rbuv"],
             "ax_swap_switch": case["ax"], "src_image_size_w": case["src_w"], "src_image_size_h": case["src_h"]}
    if case["crops"]:
        lines |= dict(zip(("load_start_pos_h", "load_start_pos_w", "crop_size_h", "crop_size_w"), case["crop"]), crop=True)
    if case["pads"]:
        names = ("top_padding_size", "bottom_padding_size", "left_padding_size", "right_padding_size")
        lines |= dict(zip(names, case["pad"]), padding=True, padding_value=case["value"])
    for i, each in enumerate(case["matrix"]):
        lines[f"matrix_r{i // 3}c{i % 3}"] = each
    for stem, key in (("input_bias_", "input_bias"), ("output_bias_", "output_bias"), ("mean_chn_", "mean"),
                      ("min_chn_", "min"), ("var_reci_chn_", "var")):
        lines |= {f"{stem}{i}": each for i, each in enumerate(case[key])}
    text = {True: "true", False: "false"}
    inside = "".join(f"    {key} : {text[value] if isinstance(value, bool) else value}\n" for key, value in lines.items())
    return "aipp_op {\n" + inside + "}\n"


def compile_model(folder, dims, text, kind, *options):
    """The path of y = -x."""
    graph = [node("Neg", "turn", "x", "y"), port(11, "x", dims, kind), port(12, "y", dims, kind)]
    (folder / "m.onnx").write_bytes(number(1, 8) + part(7, b"".join(graph)) + part(8, number(2, 17)))
    (folder / "aipp.cfg").write_text(text)
    subprocess.run([os.path.join(os.environ["UNPU_BUILD"], "bin", "atc"), "--model=m.onnx", "--framework=5",
                    "--soc_version=Ascend310P3", "--output=m", "--insert_op_conf=aipp.cfg", *options], cwd=folder, check=True,
                   stdout=subprocess.DEVNULL)
    return str(folder / "m.om")


class Loaded:
    """A model with buffers of the sizes that it tells."""

    def __init__(self, acl, path):
        self.acl = acl
        self.id, ret = acl.mdl.load_from_file(path)
        assert ret == 0
        self.desc = acl.mdl.create_desc()
        assert acl.mdl.get_desc(self.desc, self.id) == 0
        self.sizes = [[acl.mdl.get_input_size_by_index(self.desc, i) for i in range(acl.mdl.get_num_inputs(self.desc))],
                      [acl.mdl.get_output_size_by_index(self.desc, i) for i in range(acl.mdl.get_num_outputs(self.desc))]]
        self.memory = [[acl.rt.malloc(size, NORMAL_ONLY)[0] for size in some] for some in self.sizes]
        self.sets, self.buffers = [], []
        for sizes, memory in zip(self.sizes, self.memory):
            self.sets.append(acl.mdl.create_dataset())
            for size, address in zip(sizes, memory):
                self.buffers.append(acl.create_data_buffer(address, size))
                acl.mdl.add_dataset_buffer(self.sets[-1], self.buffers[-1])

    def run(self, data, dtype):
        acl, size = self.acl, self.sizes[1][0]
        data = data.tobytes()
        assert acl.rt.memcpy(self.memory[0][0], self.sizes[0][0], acl.util.bytes_to_ptr(data), len(data), HOST_TO_DEVICE) == 0
        assert acl.mdl.execute(self.id, *self.sets) == 0
        host, ret = acl.rt.malloc_host(size)
        assert ret == 0 and acl.rt.memcpy(host, size, self.memory[1][0], size, DEVICE_TO_HOST) == 0
        found = numpy.frombuffer(acl.util.ptr_to_bytes(host, size), dtype).copy()
        assert acl.rt.free_host(host) == 0
        return -found

    def close(self):
        acl = self.acl
        assert acl.mdl.unload(self.id) == 0 and acl.mdl.destroy_desc(self.desc) == 0
        assert all(acl.mdl.destroy_dataset(each) == 0 for each in self.sets)
        assert all(acl.destroy_data_buffer(each) == 0 for each in self.buffers)
        assert all(acl.rt.free(each) == 0 for some in self.memory for each in some)


def check(found, images, name, case, dims, dtype):
    expected = numpy.stack([wanted(name, image, each, dims[1], dtype) for image, each in zip(images, case)])
    numpy.testing.assert_array_equal(found.reshape(dims), expected)


def result_dims(case, count, channels):
    return (count, channels, case["crop"][2] + sum(case["pad"][:2]), case["crop"][3] + sum(case["pad"][2:]))


@pytest.mark.parametrize("seed", range(24))
def test_static_steps(acl, tmp_path, seed):
    pick = random.Random(seed)
    name = list(FORMATS)[seed % len(FORMATS)]
    code, given, _, _, each = FORMATS[name]
    case = random_case(pick, name)
    kind, count = pick.choice((FLOAT, FLOAT16)), pick.randint(1, 3)
    channels = {1: 1, 3: 3}.get(given, pick.choice((3, 4)))
    dims = result_dims(case, count, channels)
    model = Loaded(acl, compile_model(tmp_path, dims, config(name, case), kind))
    size = int(case["src_h"] * case["src_w"] * each)
    assert model.sizes[0] == [size * count]
    told, ret = acl.mdl.get_input_dims(model.desc, 0)
    assert ret == 0 and told["dims"] == [count, case["src_h"], case["src_w"], given]
    told, ret = acl.mdl.get_input_dims_v2(model.desc, 0)
    assert ret == 0 and told["dims"][0] == count and numpy.prod(told["dims"]) == size * count
    assert acl.mdl.get_aipp_type(model.id, 0) == (1, 0xFFFFFFFF, 0)
    info, ret = acl.mdl.get_first_aipp_info(model.id, 0)
    assert ret == 0 and info["inputFormat"] == code and info["srcImageSizeW"] == case["src_w"]
    assert info["meanChn2"] == case["mean"][2] and info["matrixR1C2"] == case["matrix"][5]
    assert info["outDims"][0]["aippOutdims"]["dims"] == list(dims) and info["outDims"][0]["srcSize"] == size * count
    images = numpy.random.default_rng(seed).integers(0, 256, (count, size), numpy.uint8)
    check(model.run(images, TYPES[kind]), images, name, [case] * count, dims, TYPES[kind])
    model.close()


def give_steps(acl, model, name, cases):
    """Steps for each image of the dataset."""
    steps = acl.mdl.create_aipp(len(cases))
    first = cases[0]
    assert acl.mdl.set_aipp_input_format(steps, FORMATS[name][0]) == 0
    assert acl.mdl.set_aipp_csc_params(steps, first["csc"], *first["matrix"], *first["output_bias"],
                                       *first["input_bias"]) == 0
    assert acl.mdl.set_aipp_rbuv_swap_switch(steps, first["rbuv"]) == 0
    assert acl.mdl.set_aipp_ax_swap_switch(steps, first["ax"]) == 0
    assert acl.mdl.set_aipp_src_image_size(steps, first["src_w"], first["src_h"]) == 0
    for i, case in enumerate(cases):
        top, left, high, wide = case["crop"]
        assert acl.mdl.set_aipp_scf_params(steps, 0, 1, 1, 2, 2, i) == 0
        assert acl.mdl.set_aipp_crop_params(steps, 1, left, top, wide, high, i) == 0
        assert acl.mdl.set_aipp_padding_params(steps, case["pads"], *case["pad"], i) == 0
        assert acl.mdl.set_aipp_dtc_pixel_mean(steps, *case["mean"], i) == 0
        assert acl.mdl.set_aipp_dtc_pixel_min(steps, *case["min"], i) == 0
        assert acl.mdl.set_aipp_pixel_var_reci(steps, *case["var"], i) == 0
    index, ret = acl.mdl.get_input_index_by_name(model.desc, "ascend_dynamic_aipp_data")
    assert ret == 0 and acl.mdl.get_aipp_type(model.id, index) == (3, 0xFFFFFFFF, 0)
    assert acl.mdl.get_aipp_type(model.id, 0) == (2, index, 0)
    assert acl.mdl.set_input_aipp(model.id, model.sets[0], index, steps) == 0
    assert acl.mdl.set_aipp_by_input_index(model.id, model.sets[0], 0, steps) == 0
    assert acl.mdl.destroy_aipp(steps) == 0


@pytest.mark.parametrize("seed", range(6))
def test_steps_of_a_run(acl, tmp_path, seed):
    """One model, images of any format and size, each with a part and numbers of its own."""
    pick, count, dims = random.Random(100 + seed), 1 + seed % 3, (1 + seed % 3, 3, 12, 16)
    text = "aipp_op {\n  aipp_mode : dynamic # the rest comes with each run\n  max_src_image_size : 60000\n}\n"
    model = Loaded(acl, compile_model(tmp_path, dims, text, FLOAT))
    assert model.sizes[0] == [60000, 192 * count]
    assert acl.mdl.execute(model.id, *model.sets) == 145000
    for name in ("YUV420SP_U8", "RGB888_U8", "XRGB8888_U8", "YUYV_U8"):
        each = FORMATS[name][4]
        first = random_case(pick, name, True) | {"src_w": 24, "src_h": 20}
        cases = []
        for _ in range(count):
            top, left = pick.randint(0, 2), pick.randint(0, 3)
            high, wide = 12 - 2 * pick.randint(0, 2), 16 - 2 * pick.randint(0, 2)
            cases.append(first | {"crop": (2 * top, 2 * left, high, wide), "pads": True,
                                  "pad": (12 - high, 0, 0, 16 - wide), "mean": [pick.randint(0, 255) for _ in range(4)]})
        give_steps(acl, model, name, cases)
        size = int(first["src_w"] * first["src_h"] * each)
        images = numpy.random.default_rng(seed).integers(0, 256, (count, size), numpy.uint8)
        check(model.run(images, numpy.float32), images, name, cases, dims, numpy.float32)
    model.close()


def test_profiles_of_images(acl, tmp_path):
    """Batches, and sizes of the image, by profiles."""
    pick = random.Random(7)
    case = random_case(pick, "RGB888_U8") | {"crops": False, "pads": False, "pad": (0, 0, 0, 0), "value": 0}
    text = config("RGB888_U8", case)
    sizes = "\n".join(line for line in text.split("\n") if "src_image" not in line)
    model = Loaded(acl, compile_model(tmp_path, (-1, 3, 4, 6), sizes, FLOAT, "--input_shape=x:-1,3,4,6",
                                      "--dynamic_batch_size=1,3"))
    assert model.sizes[0] == [3 * 72, 8]
    for count in (3, 1):
        assert acl.mdl.set_dynamic_batch_size(model.id, model.sets[0], 1, count) == 0
        here = case | {"src_h": 4, "src_w": 6, "crop": (0, 0, 4, 6)}
        images = numpy.random.default_rng(1).integers(0, 256, (count, 72), numpy.uint8)
        found = model.run(images, numpy.float32)[:count * 72]
        check(found, images, "RGB888_U8", [here] * count, (count, 3, 4, 6), numpy.float32)
    model.close()
    model = Loaded(acl, compile_model(tmp_path, (1, 3, -1, -1), sizes, FLOAT, "--input_shape=x:1,3,-1,-1",
                                      "--dynamic_image_size=4,6;8,2"))
    info, ret = acl.mdl.get_first_aipp_info(model.id, 0)
    assert ret == 0 and [each["aippOutdims"]["dims"] for each in info["outDims"]] == [[1, 3, 4, 6], [1, 3, 8, 2]]
    for high, wide in ((4, 6), (8, 2)):
        assert acl.mdl.set_dynamic_hw_size(model.id, model.sets[0], 1, high, wide) == 0
        here = case | {"src_h": high, "src_w": wide, "crop": (0, 0, high, wide)}
        images = numpy.random.default_rng(2).integers(0, 256, (1, high * wide * 3), numpy.uint8)
        found = model.run(images, numpy.float32)[:high * wide * 3]
        check(found, images, "RGB888_U8", [here], (1, 3, high, wide), numpy.float32)
    model.close()
