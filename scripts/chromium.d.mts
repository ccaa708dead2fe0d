/** Path of a Chrome or Chromium: CHROME_PATH, then PATH, then the usual places. */
export function findChromium(): string | undefined;

/** As `findChromium`, but installs Debian's where that is allowed. Throws one line that says what to do. */
export function ensureChromium(): Promise<string>;
