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
sys.setrecursionlimit(1_002)

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


def _solve(source, entry_point, out):
    try:
        code = compile(source, SOLUTION, "exec", dont_inherit=True)
    except SyntaxError as error:
        out["error"] = _syntax(error)
        return
    space = {"__name__": "__solution__", "__builtins__": __builtins__}
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
    """`request`: entry point, limit of the printed text and source, each behind a line break but the first."""
    entry_point, limit, source = request.split("\n", 2)
    printed = _printed
    printed.open(int(limit))
    out = {}
    try:
        _solve(source, entry_point, out)
    except BaseException as error:
        out["error"] = _raised(error)
        error = None
    if printed.parts:
        out["printed"] = "".join(printed.parts)
        if printed.truncated:
            out["truncated"] = True
    return _encode(out)
