# SPDX-License-Identifier: MIT
"""Where there is no device, a suite with mocks says here

    sys.modules["acl"] = MagicMock()

With the plug-in of unpu there is a device everywhere, and nothing is left to be said."""
