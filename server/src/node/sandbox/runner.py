"""Runs one solution inside the sealed interpreter and describes the outcome as one line of JSON.

The host trusts nothing of what this module says: a solution can reach it. It must only be quick, and honest about
honest solutions. Whatever a solution changed here is undone by the host, which puts the whole heap back.
"""

import io
import json
import reprlib
import sys
import traceback

SOLUTION = "<solution>"
# Far above every gold value (a float ends at 1,024 bits) and cheap to turn into decimal digits.
INT_BITS = 400_000
MESSAGE_LIMIT = 1_000
# CPython's default of 1,000, counted from the solution and not from this module.
DEPTH = 1_003
sys.setrecursionlimit(DEPTH)

# Of the steps of a run: how many are kept, the code points of all their values, the calls that are looked at.
STEPS = 2_000
STEPS_TEXT = 400_000
STEPS_CALLS = 50_000
# Frames that writing a step down takes, on top of the solution's own.
STEPS_DEPTH = 40
# Of one value: code points, elements of a container, containers in containers, bits of an int; variables of a function.
SHOWN_TEXT = 160
SHOWN_ITEMS = 6
SHOWN_DEPTH = 3
SHOWN_BITS = 256
SHOWN_NAMES = 60

# What a 64-bit CPython would answer with MemoryError, or try to allocate: sizes that do not fit a 32-bit engine.
TOO_LARGE = (
    "cannot fit 'int' into an index-sized integer",
    "Python int too large to convert to C ssize_t",
    "repeated string is too long",
    "repeated bytes are too long",
    "too many digits in integer",
    "join() result is too long",
    "join() result is too long for a Python string",
    "strings are too large to concat",
)

# A metaclass can give its classes any name, or fail to.
_name_of = type.__dict__["__name__"].__get__
_encode = json.JSONEncoder(ensure_ascii=True, separators=(",", ":")).encode
_TracebackException = traceback.TracebackException

_short = reprlib.Repr()
_short.maxlevel = 4
_short.maxdict = _short.maxlist = _short.maxtuple = _short.maxset = _short.maxfrozenset = 6
_short.maxstring = _short.maxother = 120
_short.maxlong = 60


class Printed(io.TextIOBase):
    """Keeps the first code points that are printed, as many as there is room for. One is enough for all runs."""

    def open(self, room):
        self.parts = []
        self.room = room
        self.truncated = False

    def writable(self):
        return True

    def write(self, text):
        if type(text) is not str:
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            text = str.__str__(text)
        size = len(text)
        if size > self.room:
            self.truncated = True
            self.parts.append(text[: self.room])
            self.room = 0
        else:
            self.parts.append(text)
            self.room -= size
        return size


def _text(value):
    try:
        text = str(value)
    except BaseException:
        return ""
    if type(text) is not str:
        text = str.__str__(text)
    return text[:MESSAGE_LIMIT]


def _show(value):
    try:
        text = _short.repr(value)
    except BaseException:
        text = f"<{_name_of(type(value))}>"
    return text[:MESSAGE_LIMIT]


def _line(error):
    """The last line of the solution that the error came through."""
    line = None
    step = error.__traceback__
    while step is not None:
        if step.tb_frame.f_code.co_filename == SOLUTION:
            line = step.tb_lineno
        step = step.tb_next
    return line


# Error numbers of this engine's C library; the words are the same everywhere, the numbers are not.
_ERRNO = {2: 13, 8: 9, 20: 17, 27: 4, 28: 22, 31: 21, 44: 2, 52: 38, 54: 20, 63: 1, 68: 34, 69: 30, 138: 95}


def _message(error):
    """CPython's own message, with its own "Did you mean" where it has one."""
    if isinstance(error, OSError) and type(error.errno) is int and error.errno in _ERRNO:
        return _text(error).replace(f"[Errno {error.errno}]", f"[Errno {_ERRNO[error.errno]}]", 1)
    if type(error) is OverflowError and error.args == (68, "Result not representable"):
        return "(34, 'Numerical result out of range')"
    if isinstance(error, (NameError, AttributeError, ImportError)):
        try:
            return _text(_TracebackException(type(error), error, error.__traceback__, lookup_lines=False, compact=True))
        except Exception:
            pass
    return _text(error)


def _raised(error, kind=None):
    name = _name_of(type(error))
    message = _message(error)
    if kind is None:
        if isinstance(error, MemoryError) or isinstance(error, OverflowError) and message in TOO_LARGE:
            kind = "memory"
        elif isinstance(error, RecursionError):
            kind = "recursion"
        else:
            kind = "exception"
    found = {"kind": kind, "type": name, "message": message}
    line = _line(error)
    if line is not None:
        found["line"] = line
    if isinstance(error, OSError):
        found["os"] = True
    return found


def _syntax(error):
    found = {"kind": "syntax", "type": _name_of(type(error)), "message": _text(error.msg)}
    if type(error.lineno) is int:
        found["line"] = error.lineno
    if type(error.offset) is int and error.offset > 0:
        found["column"] = error.offset
    return found


def _value(value, out):
    kind = type(value)
    if kind is float:
        if value - value == 0.0:
            out["value"] = repr(value)
            out["kind"] = "float"
        else:
            out["error"] = {"kind": "notFinite", "type": "float", "message": repr(value)}
    elif kind is int:
        bits = value.bit_length()
        if bits <= 14_000:
            out["value"] = repr(value)
            out["kind"] = "int"
        elif bits <= INT_BITS:
            # CPython refuses to write more than 4,300 decimal digits; the host can.
            out["value"] = hex(value)
            out["kind"] = "int"
        else:
            out["error"] = {"kind": "badReturn", "type": "int", "message": f"an int of {bits} bits"}
    else:
        out["error"] = {"kind": "badReturn", "type": _name_of(kind), "message": _show(value)}


def _cut(text, limit):
    return text if len(text) <= limit else text[: limit - 1] + "\u2026"


def _plain_types():
    """How values of types that no solution can change are written. Subclasses are not among them."""
    import datetime
    import decimal
    import fractions

    numerator = fractions.Fraction.__dict__["_numerator"].__get__
    denominator = fractions.Fraction.__dict__["_denominator"].__get__
    shown = dict.fromkeys((float, bool, complex, type(None), type(...), range, decimal.Decimal), repr)
    shown.update(dict.fromkeys((datetime.date, datetime.timedelta), str))
    # A time zone may be of a class of the solution's own.
    shown.update(dict.fromkeys((datetime.datetime, datetime.time), lambda value: str(value.replace(tzinfo=None))))
    shown[int] = lambda value: repr(value) if value.bit_length() <= SHOWN_BITS else f"<int of {value.bit_length()} bits>"
    shown[str] = shown[bytes] = lambda value: repr(value if len(value) <= SHOWN_TEXT else value[:SHOWN_TEXT])
    shown[fractions.Fraction] = lambda value: f"{numerator(value)}/{denominator(value)}"[:SHOWN_TEXT]
    return shown


def _of_package(value, kind):
    """How a value of an installed package is written; None: like one of any other class. The sandbox has no packages."""
    return None


_NO_DATA = (type(_text), type(len), type(sys), type)


def _datum(value, shown, depth=0):
    """A value in short, without running code of its class; None for what is no data: functions, classes, modules."""
    kind = type(value)
    write = shown.get(kind)
    if write is not None:
        return _cut(write(value), SHOWN_TEXT)
    if issubclass(kind, _NO_DATA):
        return None
    for base, items, opening, closing in _CONTAINERS:
        if issubclass(kind, base):
            name = "" if kind is base and base is not frozenset else _cut(_name_of(kind), 60)
            if depth >= SHOWN_DEPTH:
                return f"{name}{opening}\u2026{closing}"
            parts = []
            for item in items(value):
                if len(parts) == SHOWN_ITEMS:
                    parts.append("\u2026")
                    break
                if base is dict:
                    parts.append(f"{_item(item[0], shown, depth)}: {_item(item[1], shown, depth)}")
                else:
                    parts.append(_item(item, shown, depth))
            comma = "," if base is tuple and len(parts) == 1 else ""
            text = f"{opening}{', '.join(parts)}{comma}{closing}"
            return _cut(f"{name}({text})" if name and base is not tuple else name + text, SHOWN_TEXT)
    return _of_package(value, kind) or f"<{_cut(_name_of(kind), 60)}>"


def _item(value, shown, depth):
    return _datum(value, shown, depth + 1) or f"<{_cut(_name_of(type(value)), 60)}>"


# What a subclass makes of these methods is not asked.
_CONTAINERS = (
    (list, list.__iter__, "[", "]"),
    (tuple, tuple.__iter__, "(", ")"),
    (dict, dict.items, "{", "}"),
    (set, set.__iter__, "{", "}"),
    (frozenset, frozenset.__iter__, "{", "}"),
)


class _Enough(BaseException):
    """Ends a run of which only the steps are wanted."""


class Steps:
    """Writes down what the solution's own code does: the line that is about to run, and the variables that have changed."""

    def __init__(self, code, only):
        self.only = only
        self.shown = _plain_types()
        self.module = code
        self.codes = {}
        waiting = [code]
        while waiting:
            one = waiting.pop()
            self.codes[id(one)] = one
            waiting.extend(part for part in one.co_consts if type(part) is type(code))
        self.frames = []
        self.steps = []
        self.room = STEPS_TEXT
        self.calls = STEPS_CALLS
        self.full = False

    def stop(self):
        self.full = True
        sys.settrace(None)

    def call(self, frame, event, arg):
        self.calls -= 1
        if self.calls <= 0:
            self.stop()
        code = frame.f_code
        if self.full or id(code) not in self.codes:
            return None
        # A generator goes on.
        if frame.f_trace is not None:
            return frame.f_trace
        name = code.co_name
        # Bodies of classes have names in any kind of mapping; comprehensions and lambdas are part of their line.
        if code is not self.module and (name[:1] == "<" or not code.co_flags & 1):
            return None
        number = len(self.frames)
        self.frames.append(_cut(name, 60))
        seen = {}

        def step(frame, event, arg):
            if not self.full:
                try:
                    self.write(frame, event, arg, number, seen)
                except BaseException:
                    self.stop()
                if self.full and self.only:
                    raise _Enough
            return step

        return step

    def write(self, frame, event, arg, number, seen):
        extra = None
        if event == "exception":
            if arg[0] is StopIteration or arg[0] is GeneratorExit:
                return
            extra = _cut(_name_of(arg[0]), 60)
        elif event == "return":
            extra = _datum(arg, self.shown)
        elif event != "line":
            return
        changes = self.changes(frame, seen)
        self.room -= sum(len(name) + len(text or "") for name, text in changes) + len(extra or "")
        if len(self.steps) >= STEPS or self.room < 0:
            self.stop()
            return
        self.steps.append([event, frame.f_lineno, number, changes, extra])

    def changes(self, frame, seen):
        space = frame.f_locals
        if type(space) is not dict and type(space) is not _Locals:
            return []
        found = []
        gone = set(seen)
        for name, value in space.items():
            if type(name) is not str or name[:2] == "__" or name[:1] == "." or len(name) > 100:
                continue
            text = _datum(value, self.shown)
            if text is None:
                continue
            gone.discard(name)
            if seen.get(name) == text or len(seen) >= SHOWN_NAMES and name not in seen:
                continue
            seen[name] = text
            found.append((name, text))
        for name in gone:
            del seen[name]
            found.append((name, None))
        return found


_Locals = (lambda: type(sys._getframe().f_locals))()


def _solve(source, entry_point, out, trace):
    try:
        code = compile(source, SOLUTION, "exec", dont_inherit=True)
    except SyntaxError as error:
        out["error"] = _syntax(error)
        return
    space = {"__name__": "__solution__", "__builtins__": __builtins__}
    if not trace:
        return _execute(code, space, entry_point, out)
    steps = Steps(code, trace == "steps")
    sys.setrecursionlimit(DEPTH + STEPS_DEPTH)
    sys.settrace(steps.call)
    try:
        _execute(code, space, entry_point, out)
    finally:
        sys.settrace(None)
        out["steps"] = {"frames": steps.frames, "steps": steps.steps, "full": steps.full}


def _execute(code, space, entry_point, out):
    try:
        exec(code, space)
        if entry_point not in space:
            out["error"] = {
                "kind": "entryPoint",
                "type": "NameError",
                "message": f"there is no function named '{entry_point}'",
            }
            return
        function = space[entry_point]
        if not callable(function):
            out["error"] = {
                "kind": "entryPoint",
                "type": _name_of(type(function)),
                "message": f"'{entry_point}' is not a function but {_show(function)}",
            }
            return
        try:
            value = function()
        except TypeError as error:
            # Raised by the call itself: no frame of the solution was entered.
            if error.__traceback__.tb_next is None:
                out["error"] = _raised(error, "entryPoint")
                return
            raise
        _value(value, out)
    finally:
        # A function and its globals hold each other; this frees both at once.
        space.clear()


_printed = Printed()
sys.stdin = io.StringIO("")
sys.stdout = sys.stderr = _printed


def run(request):
    """`request`: entry point, limit of the printed text and source, each behind a line break but the first.

    Behind the limit may stand, parted by a blank, that steps are to be written down: `trace`, or `steps` where the run may end
    when no more of them are kept.
    """
    entry_point, limit, source = request.split("\n", 2)
    limit, _, trace = limit.partition(" ")
    printed = _printed
    printed.open(int(limit))
    out = {}
    try:
        _solve(source, entry_point, out, trace)
    except BaseException as error:
        out["error"] = _raised(error)
        error = None
    if printed.parts:
        out["printed"] = "".join(printed.parts)
        if printed.truncated:
            out["truncated"] = True
    if len(out) == 2 and "value" in out:
        # What most solutions answer; both are digits and letters. The encoder takes a tenth of the time of a whole run.
        return f'{{"value":"{out["value"]}","kind":"{out["kind"]}"}}'
    return _encode(out)
