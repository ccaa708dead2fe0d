/** A Chromium for tests, started the same way everywhere: nothing it does leaves this machine. */
import type { Browser } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium } from '../../scripts/chromium.mjs';

export const CHROMIUM_ARGS: readonly string[] = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Path of the installed Chrome or Chromium (CHROME_PATH, PATH, usual places). Throws a line that says what to do. */
export function chromiumPath(): string {
  const found = findChromium();
  if (found === undefined) {
    throw new Error(
      'No Chrome or Chromium found: install one (Debian: apt-get install chromium), or name it in CHROME_PATH.',
    );
  }
  return found;
}

export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: chromiumPath(), args: [...CHROMIUM_ARGS], headless: true });
}
