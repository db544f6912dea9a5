#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""classify.py MODEL.om PICTURE.ppm: prints the five classes to which the model gives the most, as classify.cpp does."""
import array
import sys

import acl

HUGE_FIRST, HOST_TO_DEVICE, DEVICE_TO_HOST = 0, 1, 2


def check(ret):
    if ret != 0:
        sys.exit(f"error {ret}: {acl.get_recent_err_msg()}")


def value(found):
    """What a call returned before its status."""
    check(found[-1])
    return found[0]


def read_picture(path):
    """The bytes of a picture become numbers of three planes, from 0 to 1."""
    with open(path, "rb") as file:
        data = file.read().split(b"255\n", 1)[1]
    return array.array("f", [byte / 255 for plane in range(3) for byte in data[plane::3]]).tobytes()


def make_dataset(size):
    """A dataset with one buffer of device memory."""
    dataset, memory = acl.mdl.create_dataset(), value(acl.rt.malloc(size, HUGE_FIRST))
    value(acl.mdl.add_dataset_buffer(dataset, acl.create_data_buffer(memory, size)))
    return dataset, memory


def destroy_dataset(dataset, memory):
    check(acl.destroy_data_buffer(acl.mdl.get_dataset_buffer(dataset, 0)))
    check(acl.mdl.destroy_dataset(dataset))
    check(acl.rt.free(memory))


def run(model, image):
    """The numbers of the first output."""
    desc = acl.mdl.create_desc()
    check(acl.mdl.get_desc(desc, model))
    size = acl.mdl.get_output_size_by_index(desc, 0)
    source, result = make_dataset(acl.mdl.get_input_size_by_index(desc, 0)), make_dataset(size)
    check(acl.rt.memcpy(source[1], len(image), acl.util.bytes_to_ptr(image), len(image), HOST_TO_DEVICE))
    check(acl.mdl.execute(model, source[0], result[0]))
    host = value(acl.rt.malloc_host(size))
    check(acl.rt.memcpy(host, size, result[1], size, DEVICE_TO_HOST))
    numbers = array.array("f", acl.util.ptr_to_bytes(host, size))
    check(acl.rt.free_host(host))
    destroy_dataset(*source)
    destroy_dataset(*result)
    check(acl.mdl.destroy_desc(desc))
    return numbers


def main():
    check(acl.init())
    check(acl.rt.set_device(0))
    model = value(acl.mdl.load_from_file(sys.argv[1]))
    shares = run(model, read_picture(sys.argv[2]))
    for place in sorted(range(len(shares)), key=lambda i: -shares[i])[:5]:
        print(f"class {place}: {100 * shares[place]:.1f} %")
    check(acl.mdl.unload(model))
    check(acl.finalize())


if __name__ == "__main__":
    main()
