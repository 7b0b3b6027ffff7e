"""Starts the tracer of whodunit, then what this file stands in front of."""


def _start():
    import os
    import sys

    name = __name__
    folder = os.path.dirname(os.path.abspath(__file__))
    tools = os.environ.get("WHODUNIT_TRACE_TOOLS")
    place = next((at for at, it in enumerate(sys.path) if os.path.abspath(it) == folder), None)
    sys.path[:] = [it for it in sys.path if os.path.abspath(it) != folder]
    if name == "usercustomize" and place is not None:
        import site
        base = os.environ.get("WHODUNIT_TRACE_USERBASE") or os.path.expanduser("~/.local")
        short = "python%d.%d" % sys.version_info[:2]
        usual = os.path.join(base, "lib", short, "site-packages")
        if os.path.isdir(usual):
            before = list(sys.path)
            site.addsitedir(usual)
            added = [it for it in sys.path if it not in before]
            sys.path[:] = before[:place] + added + before[place:]
    ours = sys.modules.pop(name, None)
    try:
        __import__(name)
    except ImportError:
        sys.modules[name] = ours
    if tools and "whodunit_tracer" not in sys.modules:
        sys.path.insert(0, tools)
        try:
            import whodunit_tracer
            whodunit_tracer.start()
        except Exception:
            pass
        finally:
            sys.path.remove(tools)


_start()
