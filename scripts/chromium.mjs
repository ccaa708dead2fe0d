// Finds Chrome or Chromium for the tests that need a browser, and installs Debian's where that is allowed.
import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { isMain, run } from './process.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];

const places = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  ],
  win32: [process.env.PROGRAMFILES, process.env['PROGRAMFILES(X86)'], process.env.LOCALAPPDATA]
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      path.join(folder, 'Google/Chrome/Application/chrome.exe'),
      path.join(folder, 'Microsoft/Edge/Application/msedge.exe'),
    ]),
};

const isProgram = (file) => {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
};

/** Path of a Chrome or Chromium: CHROME_PATH, then PATH, then the usual places. */
export function findChromium() {
  const onPath = (process.env.PATH ?? '')
    .split(path.delimiter)
    .flatMap((folder) => names.map((name) => path.join(folder, name)));
  return [process.env.CHROME_PATH, ...onPath, ...(places[process.platform] ?? [])].find(
    (file) => file !== undefined && isProgram(file),
  );
}

/** As `findChromium`, but installs Debian's package where this is Debian and we are root. Throws one line that says what to do. */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.error('Installing Chromium by apt-get …');
    const options = { quiet: true, timeoutMs: 600_000, env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
    try {
      await run('apt-get', ['update'], options);
      await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options);
    } catch (error) {
      console.error(error.message);
    }
    const installed = findChromium();
    if (installed !== undefined) return installed;
  }
  throw new Error(
    'No Chrome or Chromium found: install one (Debian: apt-get install chromium), or name it in CHROME_PATH.',
  );
}

if (isMain(import.meta.url)) console.log(await ensureChromium());
