# SPDX-License-Identifier: MIT
"""unpu for Python programs and their tests."""
