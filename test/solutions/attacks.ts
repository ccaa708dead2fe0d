/**
 * Attempts of our own, beside the shared cases: at the host, at the process, at the runner inside the interpreter, and
 * at the next solution. `CANARY_FILE`, `CANARY_PORT` and `PARENT` are filled in. What an attempt returns does not matter.
 */
export interface Attack {
  readonly name: string;
  /** The body of `solution`. */
  readonly body: string;
}

const WALK = `
import gc, sys
tried = 0
for thing in gc.get_objects() + list(sys.modules.values()):
    if type(thing).__name__.startswith('Js'):
        for name in ('constructor', 'eval', 'process', 'require', 'fetch'):
            try:
                getattr(thing, name)
                tried += 1
            except Exception as error:
                print(type(error).__name__)
return tried
`;

export const ATTACKS: readonly Attack[] = [
  // Files of the host.
  { name: 'read a file of the host', body: `print(open('CANARY_FILE').read())\nreturn 1` },
  { name: 'read it by descriptor', body: `import os\nf = os.open('CANARY_FILE', 0)\nprint(os.read(f, 99))\nreturn 1` },
  {
    name: 'read it as a module',
    body: `import importlib.machinery as m\nprint(m.SourceFileLoader('x', 'CANARY_FILE').get_data('CANARY_FILE'))\nreturn 1`,
  },
  {
    name: 'read it through pathlib and linecache',
    body: `import linecache, pathlib\nprint(linecache.getline('CANARY_FILE', 1), pathlib.Path('CANARY_FILE').exists())\nprint(pathlib.Path('CANARY_FILE').read_text())\nreturn 1`,
  },
  {
    name: 'list the host',
    body: `import glob, os\nprint(os.listdir('/'), glob.glob('/*/*')[:50], os.listdir('/proc'), os.stat('/').st_ino)\nreturn 1`,
  },
  {
    name: 'terminals and standard streams',
    body: `import os\nfor path in ('/dev/tty', '/dev/tty1', '/dev/stdin', '/dev/stdout', '/proc/self/fd/0', '/dev/fd/0'):\n    try:\n        f = os.open(path, 0)\n        print(path, os.read(f, 10))\n    except OSError as e:\n        print(path, e.errno)\nreturn 1`,
  },
  {
    name: 'descriptors 0 to 40',
    body: `import os\nfor f in range(41):\n    for act in (lambda: os.read(f, 10), lambda: os.write(f, b'CANARY_MARK'), lambda: os.fstat(f), lambda: os.dup(f), lambda: os.isatty(f), lambda: os.close(f)):\n        try: print(f, act())\n        except OSError as e: pass\nreturn 1`,
  },
  {
    name: 'write below every folder',
    body: `import os\nfor d in ('/', '/tmp', '/home', '/lib', '/dev', '.', '/dev/shm'):\n    for act in (lambda p: open(p, 'w'), os.mkdir, lambda p: os.symlink('/etc', p), lambda p: os.open(p, os.O_CREAT | os.O_RDWR)):\n        try:\n            act(d + '/pw_own')\n            print('written', d)\n        except OSError as e: pass\nreturn 1`,
  },
  {
    name: 'remove, rename, truncate, chmod the library',
    body: `import os\nz = '/lib/python313.zip'\nfor act in (lambda: os.remove(z), lambda: os.rename(z, '/tmp/z'), lambda: os.truncate(z, 0), lambda: os.chmod(z, 0), lambda: os.utime(z, (0, 0)), lambda: open(z, 'r+b').write(b'x'), lambda: os.chdir('/lib'), lambda: os.link(z, '/tmp/pw_l')):\n    try: act()\n    except (OSError, AttributeError) as e: print(e)\nreturn 1`,
  },
  {
    name: 'temporary files and databases',
    body: `import tempfile\nf = tempfile.NamedTemporaryFile(dir='/tmp', prefix='pw_')\nreturn 1`,
  },
  {
    name: 'map memory and ask devices',
    body: `import mmap\nm = mmap.mmap(-1, 4096)\nm.write(b'x')\nimport os\nprint(os.get_terminal_size(0), os.isatty(0))\nreturn 1`,
  },
  // Environment and identity.
  {
    name: 'environment',
    body: `import os, posix, sys\nprint(dict(os.environ), posix.environ, sys.executable, sys.argv, sys.orig_argv, os.uname(), os.getpid(), os.getcwd())\nprint(open('/proc/self/environ').read())\nreturn 1`,
  },
  {
    name: 'platform',
    body: `import platform\nprint(platform.node(), platform.processor(), platform.version())\nreturn 1`,
  },
  { name: 'host name', body: `import socket\nprint(socket.gethostname())\nreturn 1` },
  {
    name: 'time zone',
    body: `import time, datetime\nprint(time.tzname, time.timezone, datetime.datetime.now().astimezone().tzinfo)\nreturn 1`,
  },
  // Network.
  {
    name: 'connect',
    body: `import socket\ns = socket.socket()\ns.connect(('127.0.0.1', CANARY_PORT))\ns.send(b'x')\nreturn 1`,
  },
  {
    name: 'connect by number',
    body: `import _socket\ns = _socket.socket(2, 1, 0, 0)\ns.connect(('127.0.0.1', CANARY_PORT))\nreturn 1`,
  },
  {
    name: 'socket from a descriptor',
    body: `import _socket\nfor f in range(20):\n    try:\n        s = _socket.socket(2, 1, 0, f)\n        s.connect(('127.0.0.1', CANARY_PORT))\n        s.send(b'x')\n    except OSError: pass\nreturn 1`,
  },
  {
    name: 'asyncio',
    body: `import asyncio\nasync def go():\n    await asyncio.open_connection('127.0.0.1', CANARY_PORT)\nasyncio.run(go())\nreturn 1`,
  },
  {
    name: 'event loop of the page',
    body: `import asyncio\nloop = asyncio.get_event_loop()\nloop.call_later(0, print, 'later')\nloop.run_until_complete(asyncio.sleep(0))\nreturn 1`,
  },
  {
    name: 'web requests of Pyodide',
    body: `import asyncio\nfrom pyodide.http import pyfetch\nreturn asyncio.get_event_loop().run_until_complete(pyfetch('http://127.0.0.1:CANARY_PORT/'))`,
  },
  { name: 'browser', body: `import webbrowser\nwebbrowser.open('http://127.0.0.1:CANARY_PORT/')\nreturn 1` },
  // Processes and signals.
  { name: 'kill the parent', body: `import os\nos.kill(PARENT, 9)\nos.kill(os.getppid(), 9)\nreturn 1` },
  {
    name: 'kill the group',
    body: `import os\nfor act in (lambda: os.killpg(0, 9), lambda: os.kill(0, 9), lambda: os.kill(-1, 9)):\n    try: act()\n    except OSError: pass\nreturn 1`,
  },
  {
    name: 'signals and alarms',
    body: `import signal\nsignal.signal(signal.SIGINT, lambda *a: None)\nsignal.raise_signal(signal.SIGINT)\nsignal.setitimer(signal.ITIMER_REAL, 0.01)\nsignal.alarm(1)\nreturn 1`,
  },
  { name: 'abort through faulthandler', body: `import faulthandler\nfaulthandler._sigabrt()\nreturn 1` },
  { name: 'read NULL through faulthandler', body: `import faulthandler\nfaulthandler._read_null()\nreturn 1` },
  {
    name: 'overflow the stack through faulthandler',
    body: `import faulthandler\nfaulthandler._stack_overflow()\nreturn 1`,
  },
  {
    name: 'spawn',
    body: `import os\nfor act in (lambda: os.posix_spawn('/bin/sh', ['sh', '-c', 'touch /tmp/pw_spawn'], {}), lambda: os.execv('/bin/sh', ['sh']), lambda: os.fork(), lambda: os.forkpty(), lambda: os.spawnv(0, '/bin/sh', ['sh'])):\n    try: act()\n    except (OSError, AttributeError) as e: print(type(e).__name__)\nreturn 1`,
  },
  { name: 'multiprocessing', body: `import multiprocessing\nmultiprocessing.Process(target=print).start()\nreturn 1` },
  { name: 'threads', body: `import _thread\n_thread.start_new_thread(print, ('thread',))\nreturn 1` },
  {
    name: 'thread pool',
    body: `from concurrent.futures import ThreadPoolExecutor\nreturn ThreadPoolExecutor(1).submit(lambda: 1).result(1)`,
  },
  {
    name: 'subinterpreters',
    body: `import _interpreters\ni = _interpreters.create()\n_interpreters.exec(i, 'import os; os.system("touch /tmp/pw_sub")')\nreturn 1`,
  },
  // JavaScript.
  { name: 'walk to proxies of JavaScript', body: WALK.trim() },
  { name: 'eval of JavaScript', body: `import js\nreturn js.eval('1')` },
  { name: 'set a global of JavaScript', body: `import js\njs.globalThis.x = 1\nreturn 1` },
  {
    name: 'file system object of Pyodide',
    body: `import pyodide_js\nprint(pyodide_js.FS.readdir('/'))\npyodide_js._module.HEAPU8\nreturn 1`,
  },
  {
    name: 'proxies and callbacks',
    body: `from pyodide.ffi import create_proxy, create_once_callable, to_js, run_sync\nrun_sync(to_js({'a': create_once_callable(print)}))\nreturn 1`,
  },
  { name: 'run_js', body: `from pyodide.code import run_js\nreturn run_js('process.pid')` },
  {
    name: 'unregister and register modules of JavaScript',
    body: `from pyodide.ffi import register_js_module\nregister_js_module('mine', {'a': 1})\nimport mine\nreturn 1`,
  },
  {
    name: 'core of Pyodide',
    body: `import _pyodide_core\nfor name in dir(_pyodide_core):\n    thing = getattr(_pyodide_core, name)\n    if callable(thing):\n        for arguments in ((), (1,), ('process',), (print, 1)):\n            try: thing(*arguments)\n            except Exception as e: pass\nreturn 1`,
  },
  {
    name: 'import hook of JavaScript',
    body: `import sys\nfor finder in sys.meta_path:\n    for name in ('jsproxies', 'hook', '_jsproxies'):\n        if hasattr(finder, name): print(getattr(finder, name))\nfinder.register_js_module('q', object())\nreturn 1`,
  },
  // Memory.
  {
    name: 'write all over the heap',
    body: `import ctypes\nfor at in range(1 << 16, 16 << 20, 1 << 12):\n    ctypes.c_uint32.from_address(at).value = 0x41414141\nreturn 1`,
  },
  {
    name: 'write where the allocator keeps its end',
    body: `import ctypes\nfor at in range(1024, 4 << 20, 4):\n    cell = ctypes.c_uint32.from_address(at)\n    if 12 << 20 < cell.value < 64 << 20: cell.value = 0\nreturn 1`,
  },
  { name: 'callback of ctypes', body: `import ctypes\nreturn ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 1)()` },
  { name: 'library of ctypes', body: `import ctypes\nreturn ctypes.pythonapi.PyRun_SimpleString(b'import os')` },
  { name: 'move memory with ctypes', body: `import ctypes\nctypes.memmove(0, 1 << 20, 1 << 20)\nreturn 1` },
  {
    name: 'turn the time check off',
    body: `import ctypes\nfor at in range(1024, 4 << 20, 1):\n    cell = ctypes.c_uint8.from_address(at)\n    if cell.value == 1: cell.value = 0\nwhile True: pass`,
  },
  {
    name: 'crafted bytecode',
    body: `def f(): return 1\nf.__code__ = f.__code__.replace(co_code=bytes([100, 250, 101, 250, 83, 0] * 9), co_stacksize=0)\nreturn f()`,
  },
  { name: 'crafted marshal data', body: `import marshal\nreturn marshal.loads(b'\\xe3' + b'\\xff' * 60)` },
  {
    name: 'load a library',
    body: `import _imp, importlib.machinery as m\nspec = m.ModuleSpec('x', m.ExtensionFileLoader('x', '/lib/x.so'), origin='/lib/x.so')\nreturn _imp.create_dynamic(spec)`,
  },
  // The runner inside the interpreter.
  {
    name: 'replace the runner',
    body: `import sys\nm = sys.modules['solution_runner']\nm.run = lambda request: '{"value":"777","kind":"int"}'\nm._solve = m._value = lambda *a: None\nreturn 1`,
  },
  {
    name: 'answer of a million characters',
    body: `import sys\nsys.modules['solution_runner']._encode = lambda out: 'x' * 10**7\nreturn 1`,
  },
  {
    name: 'answer that is no JSON',
    body: `import sys\nsys.modules['solution_runner']._encode = lambda out: 'nonsense'\nreturn 1`,
  },
  {
    name: 'answer of wrong shapes',
    body: `import sys\nsys.modules['solution_runner']._encode = lambda out: '{"value":{"toString":1},"kind":"int","printed":[1],"error":{"kind":"__proto__","line":-1,"type":7}}'\nreturn 1`,
  },
  {
    name: 'answer with a prototype',
    body: `import sys\nsys.modules['solution_runner']._encode = lambda out: '{"__proto__":{"polluted":true},"constructor":1,"value":"1","kind":"int"}'\nreturn 1`,
  },
  {
    name: 'answer with a false number',
    body: `import sys\nsys.modules['solution_runner']._encode = lambda out: '{"value":"1); process.exit(","kind":"float"}'\nreturn 1`,
  },
  { name: 'no answer', body: `import sys\nsys.modules['solution_runner']._encode = lambda out: None\nreturn 1` },
  {
    name: 'frames of the runner',
    body: `import sys\nf = sys._getframe(1)\nwhile f:\n    f.f_globals.clear()\n    f = f.f_back\nreturn 1`,
  },
  {
    name: 'forged result in the frame',
    body: `import sys\nsys._getframe(1).f_locals['out']['value'] = '5'\nsys._getframe(1).f_locals['out']['kind'] = 'int'\nreturn 'text'`,
  },
  {
    name: 'exception whose text runs on',
    body: `class E(Exception):\n    def __str__(self):\n        while True: pass\nraise E`,
  },
  {
    name: 'exception whose type lies',
    body: `class M(type):\n    __name__ = property(lambda s: 1 / 0)\nclass E(Exception, metaclass=M): pass\nraise E`,
  },
  { name: 'repr that runs on', body: `class A:\n    def __repr__(self):\n        return 'x' * 10**7\nreturn A()` },
  // The next solution.
  {
    name: 'leak of descriptors',
    body: `import os\nfor _ in range(4200):\n    os.open('/lib/python313.zip', os.O_RDONLY)\nreturn 1`,
  },
  {
    name: 'leak of open files, standard ones closed',
    body: `import os\nf = os.open('/lib/python313.zip', 0)\nos.lseek(f, 0, 2)\nos.set_inheritable(f, True)\nos.closerange(0, 3)\nfor _ in range(300): os.fdopen(os.open('/lib/python313.zip', 0), 'rb', closefd=False).read(1)\nreturn 1`,
  },
  {
    name: 'import hooks',
    body: `import sys, builtins\nsys.meta_path.insert(0, type('F', (), {'find_spec': lambda *a: 1 / 0})())\nbuiltins.__import__ = lambda *a: 1 / 0\nsys.path[:] = []\nreturn 1`,
  },
  { name: 'empty tables of modules', body: `import sys\nsys.modules.clear()\nsys.builtin_module_names = ()\nreturn 1` },
  {
    name: 'patched modules',
    body: `import math, statistics, json, decimal, builtins\nmath.sqrt = statistics.mean = json.dumps = lambda *a: 0\ndecimal.getcontext().prec = 2\nbuiltins.sum = builtins.int = builtins.print = None\nreturn 1`,
  },
  {
    name: 'patched built-in types',
    body: `import gc\nfor d in gc.get_referents(float.__dict__): d['__add__'] = lambda a, b: 0\nint_dict = gc.get_referents(int.__dict__)[0]\nint_dict['bit_length'] = lambda self: 0\nreturn 1`,
  },
  {
    name: 'settings of the interpreter',
    body: `import sys, gc, random, warnings, locale, os\nsys.setrecursionlimit(50_000)\nsys.set_int_max_str_digits(0)\nsys.setswitchinterval(1)\ngc.disable(); gc.callbacks.append(print); gc.freeze()\nrandom.seed(1)\nwarnings.simplefilter('error')\nos.environ['A'] = 'B'; os.putenv('C', 'D'); os.umask(0)\nlocale.setlocale(locale.LC_ALL, 'C')\nreturn 1`,
  },
  {
    name: 'tracing, profiling, audit',
    body: `import sys, threading\ntrace = lambda *a: trace\nthreading.settrace(trace); threading.setprofile(trace)\nsys.addaudithook(lambda *a: None)\nsys.settrace(trace); sys.setprofile(trace)\nsys.monitoring.use_tool_id(1, 'x')\nreturn 1`,
  },
  {
    name: 'hooks for the end',
    body: `import atexit, sys, weakref\natexit.register(print, 'end')\nsys.excepthook = sys.unraisablehook = sys.displayhook = lambda *a: 1 / 0\nclass A: pass\na = A()\nsys.a = a\nweakref.finalize(a, print, 'gone')\nreturn 1`,
  },
  {
    name: 'finalizer that comes later',
    body: `class A:\n    def __del__(self):\n        while True: pass\na = A()\na.a = a\nreturn 1`,
  },
  {
    name: 'generator that goes on later',
    body: `def g():\n    try:\n        yield 1\n    finally:\n        while True: pass\nx = g()\nnext(x)\nl = [x]\nl.append(l)\nreturn 1`,
  },
  {
    name: 'streams',
    body: `import sys, io\nsys.stdout = sys.stderr = sys.__stdout__ = io.StringIO()\nsys.stdin = None\nprint('lost')\nsys.__stderr__.write('CANARY_MARK')\nsys.__stderr__.flush()\nreturn 1`,
  },
  {
    name: 'interned and immortal objects',
    body: `import ctypes, sys\nctypes.c_int.from_address(id(1000 - 999) + 8)\nctypes.c_uint32.from_address(id(7) + 12).value = 8\nreturn 7`,
  },
  // Exhaustion.
  { name: 'formats of great width', body: `return len('%1000000000d' % 1)` },
  { name: 'format specification of great width', body: `return len(f'{1:>3000000000}')` },
  {
    name: 'bomb of zlib',
    body: `import zlib\nd = zlib.decompressobj()\nblob = zlib.compress(b'0' * 10**7)\nreturn sum(len(zlib.decompress(blob)) for _ in range(10**6))`,
  },
  { name: 'exponent of exponents', body: `return 9**9**9` },
  { name: 'nesting of sort keys', body: `def f(n): return sorted([n], key=lambda x: f(x + 1))[0]\nreturn f(0)` },
  { name: 'nesting of JSON', body: `import json\nreturn len(json.loads('[' * 10**6))` },
  { name: 'nesting of attributes', body: `class A: pass\nfor _ in range(10**5): A = type('A', (A,), {})\nreturn 1` },
  {
    name: 'memory caught and tried again',
    body: `l = []\nwhile True:\n    try: l.append(bytearray(10**6))\n    except MemoryError: pass`,
  },
  { name: 'random bytes without end', body: `import os\nwhile True: os.urandom(10**6)` },
  { name: 'waiting', body: `import select, time\nselect.select([], [], [], 100)\ntime.sleep(1000)\nreturn 1` },
  { name: 'flood of errors', body: `import sys\nwhile True: sys.stderr.write('y' * 10**5)` },
];
