# SPDX-License-Identifier: MIT
"""An inference sample whose model is not there: it has to reach its own error message."""
import acl


def load_model(path):
    model_id, ret = acl.mdl.load_from_file(path)
    if ret != 0:
        raise RuntimeError("load model failed, ret = %d: %s" % (ret, acl.get_recent_err_msg()))
    return model_id


assert acl.init() == 0 and acl.rt.set_device(0) == 0
try:
    load_model("./resnet50.om")
except RuntimeError as error:
    assert "ret = 145002" in str(error) and "file ./resnet50.om can't be opened" in str(error)
else:
    raise AssertionError
desc = acl.mdl.create_desc()
assert desc and acl.mdl.get_num_inputs(desc) == 0
dims, ret = acl.mdl.get_input_dims(desc, 0)
assert ret != 0 and acl.mdl.destroy_desc(desc) == 0
assert acl.rt.reset_device(0) == 0 and acl.finalize() == 0
print("model: told")
