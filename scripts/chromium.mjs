// Finds Chrome or Chromium for the tests that need a browser, and installs Debian's where that is allowed. Its headless shell is the same
// engine without the interface around it, whose pages of its own cost the tests as much processor time as theirs do.
import path from 'node:path';
import { installDebian, isProgram, onPath } from './debian.mjs';
import { isMain } from './process.mjs';

const names = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
  'microsoft-edge',
];

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

/** Path of a Chrome or Chromium: CHROME_PATH, then PATH, then the usual places. */
export function findChromium() {
  return [process.env.CHROME_PATH, ...onPath(names), ...(places[process.platform] ?? [])].find(
    (file) => file !== undefined && isProgram(file),
  );
}

/** As `findChromium`, but installs Debian's packages where this is Debian and we are root. Throws one line that says what to do. */
export async function ensureChromium() {
  const found = findChromium();
  if (found !== undefined) return found;
  await installDebian('chromium-headless-shell', 'the headless shell of Chromium');
  // Older ones have none.
  if (findChromium() === undefined) await installDebian('chromium', 'Chromium');
  const installed = findChromium();
  if (installed !== undefined) return installed;
  throw new Error(
    'No Chrome or Chromium found: install one (Debian: apt-get install chromium), or name it in CHROME_PATH.',
  );
}

if (isMain(import.meta.url)) console.log(await ensureChromium());
