// Finds Neovim for the test that drives the language server from another editor, and installs Debian's where that is allowed.
import { installDebian, isProgram, onPath } from './debian.mjs';
import { isMain } from './process.mjs';

const names = process.platform === 'win32' ? ['nvim.exe'] : ['nvim'];

/** Path of Neovim: NVIM_PATH, then PATH. */
export const findNeovim = () =>
  [process.env.NVIM_PATH, ...onPath(names)].find((file) => file !== undefined && isProgram(file));

/** As `findNeovim`, but installs Debian's package where this is Debian and we are root. Throws one line that says what to do. */
export async function ensureNeovim() {
  const found = findNeovim();
  if (found !== undefined) return found;
  await installDebian('neovim', 'Neovim');
  const installed = findNeovim();
  if (installed !== undefined) return installed;
  throw new Error('No Neovim found: install one (Debian: apt-get install neovim), or name it in NVIM_PATH.');
}

if (isMain(import.meta.url)) console.log(await ensureNeovim());
