// Programs that tests need and npm does not have: Debian's packages, where this is Debian and we are root.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { run } from './process.mjs';

export const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Absolute paths on PATH that programs of these names would have. */
export const onPath = (names) =>
  (process.env.PATH ?? '').split(path.delimiter).flatMap((folder) => names.map((name) => path.join(folder, name)));

/** Installs a package where that is allowed; what goes wrong is told and not thrown. */
export async function installDebian(packageName, title) {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) return;
  console.error(`Installing ${title} by apt-get …`);
  const options = { quiet: true, timeoutMs: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  try {
    await run('apt-get', ['update'], options);
    await run('apt-get', ['install', '-y', '--no-install-recommends', packageName], options);
  } catch (error) {
    console.error(error.message);
  }
}
