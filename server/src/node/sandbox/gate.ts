/**
 * The gate between the WebAssembly module and JavaScript. Every function that the module can import, also later by
 * name, goes through here. Once sealed, only what stands in these lists can be called; a name unknown to them traps,
 * so that another build of the interpreter fails closed. No Node built-ins: the same gate serves a Web Worker.
 */

const EBADF = 8;
const ENOSYS = 52;
const ENOTTY = 59;
const EPERM = 63;
const EROFS = 69;

/** Callable as they are: they read the in-memory file system or write into the module's own memory. */
export const ALLOWED: ReadonlySet<string> = new Set([
  'fd_seek',
  'fd_fdstat_get',
  'clock_res_get',
  'environ_sizes_get',
  'environ_get',
  '__syscall_fcntl64',
  '__syscall_faccessat',
  '__syscall_fstat64',
  '__syscall_stat64',
  '__syscall_newfstatat',
  '__syscall_lstat64',
  '__syscall_getcwd',
  '__syscall_getdents64',
  '__syscall_readlinkat',
  '__syscall_fadvise64',
  '_tzset_js',
  '_timegm_js',
  '_mktime_js',
  '_localtime_js',
  '_gmtime_js',
  'emscripten_get_heap_max',
  '_emscripten_get_progname',
  '_PyEM_TrampolineCall_JS',
  '_PyEM_GetCountArgsPtr',
  '_PyEM_InitTrampoline_js',
  '_Py_emscripten_runtime',
]);

/** Of all functions: those that, sealed, do not write into the module's memory. What others do is not in its own notes. */
export const WRITES_NOTHING: ReadonlySet<string> = new Set([
  '_Py_CheckEmscriptenSignals_Helper',
  'emscripten_get_now',
  'emscripten_date_now',
  'emscripten_resize_heap',
  'emscripten_get_heap_max',
  '_PyEM_TrampolineCall_JS',
  '_PyEM_GetCountArgsPtr',
  '__syscall_ioctl',
  'can_run_sync_js',
]);

/** Answer with an error number (0: pretend success) as a read-only system without processes and network would. */
export const REFUSED: Readonly<Record<string, number>> = {
  __syscall_chdir: EPERM,
  __syscall_chmod: EPERM,
  __syscall_fchownat: EPERM,
  __syscall_dup: EPERM,
  __syscall_dup3: EPERM,
  __syscall_fchdir: EPERM,
  __syscall_fchmod: EPERM,
  __syscall_fchmodat2: EPERM,
  __syscall_fchown32: EPERM,
  __syscall_fdatasync: 0,
  __syscall_ftruncate64: EROFS,
  __syscall_mkdirat: EROFS,
  __syscall_mknodat: EROFS,
  __syscall_pipe: EPERM,
  __syscall_poll: ENOSYS,
  __syscall_fallocate: EROFS,
  __syscall_unlinkat: EROFS,
  __syscall_rmdir: EROFS,
  __syscall_renameat: EROFS,
  __syscall__newselect: ENOSYS,
  __syscall_statfs64: ENOSYS,
  __syscall_fstatfs64: ENOSYS,
  __syscall_symlinkat: EROFS,
  __syscall_truncate64: EROFS,
  __syscall_utimensat: EROFS,
  __syscall_ioctl: ENOTTY,
  __syscall_accept4: EPERM,
  __syscall_bind: EPERM,
  __syscall_connect: EPERM,
  __syscall_getpeername: EPERM,
  __syscall_getsockname: EPERM,
  __syscall_getsockopt: EPERM,
  __syscall_listen: EPERM,
  __syscall_recvfrom: EPERM,
  __syscall_recvmsg: EPERM,
  __syscall_sendmsg: EPERM,
  __syscall_sendto: EPERM,
  __syscall_socket: EPERM,
};

/** Refusals that say nothing of the solution: harmless questions that Python itself asks. */
const QUIET: ReadonlySet<string> = new Set([
  '__syscall_ioctl',
  '__syscall_fdatasync',
  '__syscall_poll',
  '__syscall__newselect',
]);

/** How a solution ends the interpreter itself. */
const ENDS: ReadonlySet<string> = new Set(['exit', 'proc_exit', '_abort_js', '__assert_fail']);

export type TrapKind = 'timeout' | 'blocked' | 'ended';

/** Thrown through the interpreter; Python cannot catch it, and the heap is put back afterwards. */
export interface Trap {
  readonly trap: TrapKind;
  readonly name: string;
}

export interface GateState {
  sealed: boolean;
  /** On the clock of `now`, in ms. */
  deadline: number;
  /** In bytes. */
  memoryLimit: number;
  trap: Trap | undefined;
  /** First call of this run that was answered with an error number. */
  refused: string | undefined;
  /** Whether clock or randomness was read in this run. */
  impure: boolean;
  /** Whether JavaScript may have written into the module's memory since it was last put back. */
  hostWrote: boolean;
}

/** An emscripten stream, as far as the gate looks at it. */
export interface Stream {
  fd: number;
  flags: number;
  position: number;
  shared: Record<string, unknown>;
  readonly node?: { readonly mode: number; readonly rdev: number };
}

/** Of a file, folder or device. Those whose names have the same hash follow each other. */
export interface FileNode {
  readonly name_next?: FileNode | null;
}

export interface FileSystem {
  readonly streams: (Stream | null)[];
  /** By hash of the name. */
  readonly nameTable: readonly (FileNode | null | undefined)[];
  isChrdev(mode: number): boolean;
  close(stream: Stream): void;
  getPath(node: unknown): string;
}

type Imported = ((...args: number[]) => unknown) & Record<string, unknown>;

export interface Gate {
  readonly state: GateState;
  /** Wraps, in place, every function of an imports object. */
  wrap(imports: Record<string, Record<string, unknown>>): void;
}

const RANDOM_DEVICES: ReadonlySet<string> = new Set(['/dev/random', '/dev/urandom']);
/** Other devices lead to the host. */
const HARMLESS_DEVICES: ReadonlySet<string> = new Set(['/dev/null', '/dev/zero', ...RANDOM_DEVICES]);

export interface GateHost {
  /** Clock in ms. */
  now(): number;
  fileSystem(): FileSystem;
  /** Size of the heap in bytes. */
  heapSize(): number;
  /** Grows the heap to so many bytes, a multiple of `PAGE`; false when it could not. */
  growHeap(size: number): boolean;
}

/** Bytes by which WebAssembly memory grows. */
const PAGE = 65_536;

export function createGate(host: GateHost): Gate {
  const state: GateState = {
    sealed: false,
    deadline: Infinity,
    memoryLimit: Infinity,
    trap: undefined,
    refused: undefined,
    impure: false,
    hostWrote: false,
  };
  const wrapped = new WeakSet<object>();

  const fail = (trap: TrapKind, name: string): never => {
    state.trap ??= { trap, name };
    throw new Error(`${trap}: ${name}`);
  };
  const checkTime = (): void => {
    if (host.now() > state.deadline) fail('timeout', '');
  };
  const refuse = (name: string, errno: number): number => {
    state.refused ??= name;
    return -errno;
  };

  /** As the interpreter grows itself, a fifth at a time, but never over the limit. */
  const grow = (size: number): boolean => {
    const pages = (bytes: number): number => Math.ceil(bytes / PAGE) * PAGE;
    const limit = Math.floor(state.memoryLimit / PAGE) * PAGE;
    if (pages(size) > limit) return false;
    return host.growHeap(Math.min(Math.max(pages(size), pages(host.heapSize() * 1.2)), limit));
  };

  const openReadOnly =
    (name: string, open: Imported) =>
    (directory: number, path: number, flags: number, ...rest: number[]): number => {
      checkTime();
      const writes = (flags & 3) !== 0 || (flags & 0o3100) !== 0;
      if (writes) return refuse(name, EROFS);
      const fd = open(directory, path, flags, ...rest) as number;
      if (fd < 0) return fd;
      const fs = host.fileSystem();
      const stream = fs.streams[fd];
      if (stream?.node && fs.isChrdev(stream.node.mode) && !HARMLESS_DEVICES.has(fs.getPath(stream.node))) {
        fs.close(stream);
        return refuse(name, EPERM);
      }
      if (stream?.node && RANDOM_DEVICES.has(fs.getPath(stream.node))) state.impure = true;
      return fd;
    };

  /** What takes the place of one import once sealed; undefined: it is let through as it is. */
  const replacement = (name: string, original: Imported): ((...args: number[]) => unknown) | undefined => {
    if (ALLOWED.has(name)) return undefined;
    switch (name) {
      case '_Py_CheckEmscriptenSignals_Helper':
        return () => {
          checkTime();
          return 0;
        };
      case 'emscripten_get_now':
      case 'emscripten_date_now':
      case 'clock_time_get':
      case 'random_get':
        return (...args) => {
          checkTime();
          state.impure = true;
          return original(...args);
        };
      case 'emscripten_resize_heap':
        return (size) => Number(grow(size! >>> 0));
      case '__syscall_openat':
        return openReadOnly(name, original) as (...args: number[]) => unknown;
      case 'fd_read':
      case 'fd_pread':
        // The three standard descriptors lead to the host.
        return (fd, ...rest) => {
          checkTime();
          return fd! >>> 0 <= 2 ? EBADF : original(fd!, ...rest);
        };
      case 'fd_close':
        return (fd) => (fd! >>> 0 <= 2 ? EBADF : original(fd!));
      case 'fd_write':
      case 'fd_pwrite':
        return () => -refuse(name, EBADF);
      case 'fd_sync':
      case 'can_run_sync_js':
      case 'emscripten_runtime_keepalive_push':
      case 'emscripten_runtime_keepalive_pop':
      case '_emscripten_runtime_keepalive_clear':
        return () => 0;
    }
    const errno = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined;
    if (errno !== undefined) return QUIET.has(name) ? () => -errno : () => refuse(name, errno);
    return () => fail(ENDS.has(name) ? 'ended' : 'blocked', name);
  };

  const wrapOne = (name: string, original: Imported): Imported => {
    const sealedCall = replacement(name, original);
    const mayWrite = !WRITES_NOTHING.has(name);
    if (!sealedCall && !mayWrite) return original;
    const call = sealedCall ?? original;
    const gate = ((...args: number[]) => {
      if (!state.sealed) return original(...args);
      if (mayWrite) state.hostWrote = true;
      return call(...args);
    }) as Imported;
    // Emscripten keeps signatures and aliases as properties of its functions.
    Object.assign(gate, original);
    return gate;
  };

  return {
    state,
    wrap(imports) {
      for (const moduleName of ['env', 'wasi_snapshot_preview1']) {
        const functions = imports[moduleName];
        if (!functions) continue;
        for (const name of Object.keys(functions)) {
          const original = functions[name];
          if (typeof original !== 'function' || wrapped.has(original)) continue;
          const gate = wrapOne(name, original as Imported);
          wrapped.add(gate);
          functions[name] = gate;
          if (functions[name] !== gate) throw new Error(`The import ${name} could not be gated.`);
        }
      }
    },
  };
}
