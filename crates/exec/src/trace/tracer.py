"""Notes which lines of the files below a folder run, and writes them as LCOV when the program ends.

Loaded by `sitecustomize` or `usercustomize`, whichever the interpreter finds. Lines of functions are
noted under the test `called`, those that run when a module is loaded under no test.
"""

import atexit
import os
import sys
import threading

ROOT = os.environ["WHODUNIT_TRACE_ROOT"] + os.sep
OUT = os.environ["WHODUNIT_TRACE_OUT"]
# Functions have variables of their own, bodies of modules and classes do not.
OPTIMIZED = 1
# An identifier for tools that no profiler or debugger has by convention.
TOOL = 3

ran = {}
inside = {}
process = os.getpid()


def path_of(code):
    """Returns the path of a code's file below the folder, or None."""
    name = code.co_filename
    if name not in inside:
        real = os.path.realpath(name)
        inside[name] = real[len(ROOT):] if real.startswith(ROOT) else None
    return inside[name]


def note(code, line):
    ran.setdefault(code, set()).add(line)


def follow(frame, event, _):
    if event == "line":
        note(frame.f_code, frame.f_lineno)
    return follow


def enter(frame, _event, _):
    return None if path_of(frame.f_code) is None else follow


def lines_of(code):
    if hasattr(code, "co_lines"):
        return {line for _, _, line in code.co_lines() if line}
    import dis
    return {line for _, line in dis.findlinestarts(code) if line}


def write():
    if os.getpid() != process:
        return
    files = {}
    for code, lines in list(ran.items()):
        path = path_of(code)
        is_called = bool(code.co_flags & OPTIMIZED)
        add(files, path, code, is_called, lines)
    name = os.path.join(OUT, "%d.info" % process)
    try:
        with open(name, "w") as out:
            for (path, is_called), (measured, hit) in files.items():
                out.write("TN:%s\nSF:%s\n" % ("called" if is_called else "", path))
                for line in sorted(measured):
                    out.write("DA:%d,%d\n" % (line, line in hit))
                out.write("end_of_record\n")
    except (IOError, OSError, ValueError):
        pass


def add(files, path, code, is_called, lines):
    measured, hit = files.setdefault((path, is_called), (set(), set()))
    measured.update(lines_of(code))
    hit.update(lines)
    for constant in code.co_consts:
        # What is defined here and never ran was not executed.
        if hasattr(constant, "co_consts"):
            add(files, path, constant, True, ())


def start():
    atexit.register(write)
    if sys.version_info >= (3, 12):
        monitoring = sys.monitoring

        def line(code, number):
            if path_of(code) is not None:
                note(code, number)
            return monitoring.DISABLE

        monitoring.use_tool_id(TOOL, "whodunit")
        monitoring.register_callback(TOOL, monitoring.events.LINE, line)
        monitoring.set_events(TOOL, monitoring.events.LINE)
    else:
        threading.settrace(enter)
        sys.settrace(enter)
