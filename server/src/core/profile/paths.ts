/** Paths as text. Inside the core they have `/` only; a Windows path keeps its drive (`C:/data`). */

export function normalisePath(path: string): string {
  const isWindows = /^[A-Za-z]:[\\/]|^\\\\/.test(path);
  const slashed = isWindows ? path.replaceAll('\\', '/') : path;
  return slashed.length > 1 && slashed.endsWith('/') && !/^[A-Za-z]:\/$/.test(slashed) ? slashed.slice(0, -1) : slashed;
}

export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  if (slash < 0) return '.';
  return slash === 0 || /^[A-Za-z]:$/.test(path.slice(0, slash)) ? path.slice(0, slash + 1) : path.slice(0, slash);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** `inner` must be relative and free of `..`. */
export function joinPath(folder: string, inner: string): string {
  return folder.endsWith('/') ? folder + inner : `${folder}/${inner}`;
}

/** The path relative to a folder; undefined where it lies outside. Drive letters compare without case. */
export function relativePath(folder: string, path: string): string | undefined {
  const prefix = folder.endsWith('/') ? folder : `${folder}/`;
  const head = path.slice(0, prefix.length);
  const isInside = /^[A-Za-z]:/.test(prefix) ? head.toLowerCase() === prefix.toLowerCase() : head === prefix;
  return isInside && path.length > prefix.length ? path.slice(prefix.length) : undefined;
}

/**
 * Why a relative path may not be used: it is absolute or could leave its folder on any system. undefined: it is harmless.
 * Links that lead out are found where files are read.
 */
export function unsafePathReason(path: string): string | undefined {
  if (path.includes('\0')) return 'it holds a NUL character';
  if (path.includes('\\')) return 'it holds a backslash';
  if (path.startsWith('/')) return 'it is absolute';
  if (/^[A-Za-z]:/.test(path)) return 'it names a drive';
  if (/^[A-Za-z][A-Za-z0-9+.-]*:\/\//.test(path)) return 'it is an address';
  if (path.split('/').includes('..')) return 'it leads out of its folder with ".."';
  return undefined;
}
