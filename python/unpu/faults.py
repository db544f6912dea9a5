# SPDX-License-Identifier: MIT
"""Rules that make the device fail on purpose. The book's page "Faults on purpose" says what each one does."""

ACTIONS = ("fail", "delay", "hang", "drop", "jam", "twice", "cookie", "wild", "torn", "exit")
KEYS = ("op", "message", "call", "in", "stream", "client", "nth", "count", "percent", "status", "us", "ms")


def rule(action, **keys):
    """The text of one rule: rule("fail", op="copy", nth=2). The key in is written in_."""
    if action not in ACTIONS:
        raise ValueError(f"unpu.faults.rule: action is {action!r}; it must be one of {', '.join(ACTIONS)}")
    parts = [action]
    for name, value in keys.items():
        key = name.rstrip("_")
        if key not in KEYS:
            raise ValueError(f"unpu.faults.rule: there is no key {key!r}; there are {', '.join(KEYS)}")
        text = str(value)
        if not text or set(text) & set(":;,= "):
            raise ValueError(f"unpu.faults.rule: {key} is {text!r}; it must not have : ; , = or blanks")
        parts.append(f"{key}={text}")
    return ":".join(parts)


def text(rules, seed=None):
    """The rules of a list, or one, as the device string takes them; None for none."""
    if rules is None:
        return None
    listed = [rules] if isinstance(rules, str) else list(rules)
    if seed is not None:
        listed.append(f"seed={seed}")
    return ";".join(listed) or None
