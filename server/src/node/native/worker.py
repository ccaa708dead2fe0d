"""Runs solutions in the user's own Python, with the user's permissions: a convenience and no sandbox.

Where the system can fork, each solution gets a process of its own, in a session of its own, which is ended as a whole
when it is done or out of time. Elsewhere it runs in this process, which ends with it.

Requests come as lines of JSON on standard input, answers go as lines of JSON to what was standard output; solutions
find both closed. How a solution is run and described is runner.py's, which the sandbox uses too.
"""

import ast
import importlib.util
import json
import os
import select
import signal
import sys
import time

CAN_FORK = hasattr(os, "fork") and hasattr(os, "setsid")
# Packages that are loaded once and not for each solution, before its limits hold: they are large and slow to load.
HEAVY = ("numpy", "pandas", "scipy", "sympy")
ANSWER_LIMIT = 4 << 20


def load_runner(path):
    spec = importlib.util.spec_from_file_location("solution_runner", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    plain = module._value

    def value_of(value, out):
        # A scalar of numpy stands for the number it holds; an array does not.
        if type(value).__module__.partition(".")[0] == "numpy" and getattr(value, "shape", None) == ():
            value = value.item()
        plain(value, out)

    def of_package(value, kind):
        if kind.__module__.partition(".")[0] not in ("numpy", "pandas"):
            return None
        shape = getattr(value, "shape", None)
        if shape == ():
            return repr(value.item())[:160]
        return f"<{kind.__name__} of {' × '.join(str(size) for size in shape)}>" if type(shape) is tuple else None

    module._value = value_of
    module._of_package = of_package
    return module


def imported(source):
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    names = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            names.append(node.module)
    return names


has_site = False


def prepare(source):
    """Makes installed packages importable once a solution asks for one, and loads the heavy ones."""
    global has_site
    known = getattr(sys, "stdlib_module_names", frozenset())
    for name in imported(source):
        top = name.partition(".")[0]
        if top in known:
            continue
        if not has_site:
            has_site = True
            import site

            site.main()
        if top in HEAVY:
            try:
                importlib.import_module(name)
            except BaseException:
                # The solution's own import says what is wrong.
                pass


def limit(memory_mb, timeout_ms):
    try:
        import resource
    except ImportError:
        return

    def lower(name, value):
        kind = getattr(resource, name, None)
        if kind is None:
            return
        hard = resource.getrlimit(kind)[1]
        if hard != resource.RLIM_INFINITY:
            value = min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            pass

    lower("RLIMIT_CORE", 0)
    lower("RLIMIT_CPU", timeout_ms // 1000 + 2)
    if sys.platform.startswith("linux"):
        # On top of what the interpreter with its packages takes already.
        with open("/proc/self/statm") as statm:
            pages = int(statm.read().split()[0])
        lower("RLIMIT_AS", pages * resource.getpagesize() + (memory_mb << 20))


def solve(runner, request):
    return runner.run(f"{request['entry']}\n{request['output']}\n{request['source']}")


def write_all(to, data):
    view = memoryview(data)
    while view:
        view = view[os.write(to, view) :]


def end_group(pid):
    try:
        os.killpg(pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


class Channel:
    """Lines from the server; its end ends this process and whatever it has started."""

    def __init__(self):
        self.kept = b""

    def fill(self):
        data = os.read(0, 1 << 16)
        if not data:
            return False
        self.kept += data
        return True

    def line(self):
        while b"\n" not in self.kept:
            if not self.fill():
                return None
        line, self.kept = self.kept.split(b"\n", 1)
        return line


def child(runner, request, to, others):
    os.setsid()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    for other in others:
        os.close(other)
    null = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(null, standard)
    limit(request["memory"], request["timeout"])
    try:
        answer = solve(runner, request)
    except MemoryError:
        answer = '{"error":{"kind":"memory","type":"MemoryError","message":""}}'
    write_all(to, answer.encode("ascii", "backslashreplace") + b"\n")
    os._exit(0)


def run_forked(runner, request, channel, answers):
    """Gives (text, why not): the answer of a child process, or how it ended without one."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            child(runner, request, write, (read, answers))
        finally:
            os._exit(1)
    os.close(write)
    tell(answers, {"id": request["id"], "group": pid})
    end = time.monotonic() + request["timeout"] / 1000
    parts = []
    size = 0
    why = None
    listening = [read, 0]
    while True:
        left = end - time.monotonic()
        if left <= 0:
            why = "timeout"
            break
        ready = select.select(listening, [], [], left)[0]
        if 0 in ready and not channel.fill():
            end_group(pid)
            os._exit(0)
        if read in ready:
            data = os.read(read, 1 << 16)
            if not data:
                break
            size += len(data)
            if size > ANSWER_LIMIT:
                why = "crash"
                break
            parts.append(data)
            # Whatever the solution has started may hold the pipe open.
            if data.endswith(b"\n"):
                break
    os.close(read)
    end_group(pid)
    status = os.waitpid(pid, 0)[1]
    text = b"".join(parts).decode("ascii", "replace")
    if why is None and not text:
        # The time that the processor may take ends a moment after the time limit does.
        why = "timeout" if os.WIFSIGNALED(status) and os.WTERMSIG(status) == getattr(signal, "SIGXCPU", 24) else "crash"
    return (None, why) if why else (text, None)


def tell(to, message):
    write_all(to, json.dumps(message, separators=(",", ":")).encode("ascii") + b"\n")


def main():
    answers = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    runner = load_runner(sys.argv[1])
    channel = Channel()
    version = ".".join(str(part) for part in sys.version_info[:3])
    tell(answers, {"ready": version, "forks": CAN_FORK})
    while True:
        line = channel.line()
        if line is None:
            return
        request = json.loads(line)
        prepare(request["source"])
        started = time.perf_counter()
        if CAN_FORK:
            text, why = run_forked(runner, request, channel, answers)
        else:
            text, why = solve(runner, request), None
        spent = (time.perf_counter() - started) * 1000
        tell(answers, {"id": request["id"], "ms": round(spent, 3), "text": text, "why": why})
        if not CAN_FORK:
            return


main()
