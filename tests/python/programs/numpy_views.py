# SPDX-License-Identifier: MIT
"""The older way: numpy_to_ptr and ptr_to_numpy, deprecated and still in most samples."""
import warnings

import acl
import numpy as np

warnings.simplefilter("ignore")
NPY_FLOAT32 = 11

assert acl.init() == 0 and acl.rt.set_device(0) == 0
image = np.random.rand(3, 16, 16).astype(np.float32)
pointer = acl.util.numpy_to_ptr(image)
size = image.itemsize * image.size
device, ret = acl.rt.malloc(size, 2)
assert acl.rt.memcpy(device, size, pointer, size, 1) == 0
host, ret = acl.rt.malloc_host(size)
assert acl.rt.memcpy(host, size, device, size, 2) == 0
view = acl.util.ptr_to_numpy(host, (3, 16, 16), NPY_FLOAT32)
assert np.array_equal(view, image)
pointer, image = acl.util.numpy_contiguous_to_ptr(np.transpose(image, (1, 2, 0)))
assert acl.rt.memcpy(device, size, pointer, size, 1) == 0
assert acl.rt.memcpy(host, size, device, size, 2) == 0
assert np.array_equal(acl.util.ptr_to_numpy(host, (16, 16, 3), NPY_FLOAT32), image)
assert acl.rt.free(device) == 0 and acl.rt.free_host(host) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("views: ok")
