# SPDX-License-Identifier: MIT
"""Pictures by acl.media: a region of a picture, pasted into another, beside numpy."""
import numpy
import pytest
from interface import DEVICE_TO_HOST, HOST_TO_DEVICE

NV12, RGB = 1, 12


@pytest.fixture
def channel(acl):
    """A channel and its description."""
    made = acl.media.dvpp_create_channel_desc()
    assert acl.media.dvpp_create_channel(made) == 0
    yield made
    assert acl.media.dvpp_destroy_channel(made) == 0
    assert acl.media.dvpp_destroy_channel_desc(made) == 0


def describe(acl, pixels):
    """A description of an array of RGB, and the memory of the picture."""
    height, width, _ = pixels.shape
    media = acl.media
    memory, ret = media.dvpp_malloc(pixels.nbytes)
    assert ret == 0
    assert acl.rt.memcpy(memory, pixels.nbytes, pixels.ctypes.data, pixels.nbytes, HOST_TO_DEVICE) == 0
    desc = media.dvpp_create_pic_desc()
    for setter, value in ((media.dvpp_set_pic_desc_data, memory), (media.dvpp_set_pic_desc_size, pixels.nbytes),
                          (media.dvpp_set_pic_desc_format, RGB), (media.dvpp_set_pic_desc_width, width),
                          (media.dvpp_set_pic_desc_height, height), (media.dvpp_set_pic_desc_width_stride, 3 * width),
                          (media.dvpp_set_pic_desc_height_stride, height)):
        assert setter(desc, value) == 0
    assert media.dvpp_get_pic_desc_data(desc) == memory
    assert media.dvpp_get_pic_desc_width(desc) == width
    return desc, memory


def test_a_region_is_pasted(acl, stream, channel):
    media = acl.media
    source = numpy.random.default_rng(1).integers(0, 256, (20, 30, 3), numpy.uint8)
    result = numpy.full((24, 40, 3), 7, numpy.uint8)
    wanted = result.copy()
    wanted[3:13, 16:31] = source[5:15, 10:25]
    one, two = describe(acl, source), describe(acl, result)
    crop, paste = media.dvpp_create_roi_config(10, 24, 5, 14), media.dvpp_create_roi_config(16, 30, 3, 12)
    assert media.dvpp_vpc_crop_and_paste_async(channel, one[0], two[0], crop, paste, stream) == 0
    assert acl.rt.synchronize_stream(stream) == 0
    assert acl.rt.memcpy(result.ctypes.data, result.nbytes, two[1], result.nbytes, DEVICE_TO_HOST) == 0
    assert numpy.array_equal(result, wanted)
    for region in (crop, paste):
        assert media.dvpp_destroy_roi_config(region) == 0
    for desc, memory in (one, two):
        assert media.dvpp_destroy_pic_desc(desc) == 0
        assert media.dvpp_free(memory) == 0
    assert media.dvpp_destroy_pic_desc(one[0]) != 0


@pytest.mark.parametrize("interpolation", [0, 1, 2])
def test_sizes_are_those_of_opencv(acl, stream, channel, interpolation):
    """Equal for the nearest pixel, within 1 for weights."""
    cv2 = pytest.importorskip("cv2", reason="python3-opencv is not installed")
    media, random = acl.media, numpy.random.default_rng(interpolation)
    config = media.dvpp_create_resize_config()
    assert media.dvpp_set_resize_config_interpolation(config, interpolation) == 0
    for number in range(40):
        width, height, to_width, to_height = (int(size) for size in random.integers(10, 200, 4))
        source = random.integers(0, 256, (height, width, 3), numpy.uint8)
        result = numpy.zeros((to_height, to_width, 3), numpy.uint8)
        one, two = describe(acl, source), describe(acl, result)
        assert media.dvpp_vpc_resize_async(channel, one[0], two[0], config, stream) == 0, acl.get_recent_err_msg()
        assert acl.rt.synchronize_stream(stream) == 0
        assert acl.rt.memcpy(result.ctypes.data, result.nbytes, two[1], result.nbytes, DEVICE_TO_HOST) == 0
        way = cv2.INTER_NEAREST if interpolation == 2 else cv2.INTER_LINEAR
        wanted = cv2.resize(source, (to_width, to_height), interpolation=way)
        most = numpy.abs(result.astype(int) - wanted.astype(int)).max()
        assert most <= (0 if interpolation == 2 else 1), (number, source.shape, result.shape, most)
        for desc, memory in (one, two):
            assert media.dvpp_destroy_pic_desc(desc) == 0 and media.dvpp_free(memory) == 0
    assert media.dvpp_destroy_resize_config(config) == 0


def test_files_tell_their_sizes(acl):
    media = acl.media
    jpeg = numpy.frombuffer(bytes.fromhex("ffd8 ffc0 0011 08 01f4 03e8 03 002200 011100 021100"), dtype=numpy.uint8)
    png = numpy.frombuffer(bytes.fromhex("89504e470d0a1a0a 0000000d 49484452 00000064 00000028 08 06 000000"),
                           dtype=numpy.uint8)
    assert media.dvpp_jpeg_get_image_info(jpeg.ctypes.data, jpeg.size) == (1000, 500, 3, 0)
    assert media.dvpp_jpeg_predict_dec_size(jpeg.ctypes.data, jpeg.size, NV12) == (1024 * 512 * 3 // 2, 0)
    assert media.dvpp_png_get_image_info(png.ctypes.data, png.size) == (100, 40, 4, 0)
    assert media.dvpp_png_predict_dec_size(png.ctypes.data, png.size, RGB) == (128 * 48 * 3, 0)
    assert media.dvpp_png_predict_dec_size(jpeg.ctypes.data, jpeg.size, RGB) == (0, 100000)


def test_decoding_is_refused(acl):
    assert acl.media.dvpp_jpeg_decode_async(0, 0, 0, 0, 0) == 207000
    assert "dvpp_vpc" in acl.get_recent_err_msg()
