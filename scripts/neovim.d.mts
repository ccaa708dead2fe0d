/** Path of Neovim: NVIM_PATH, then PATH. */
export function findNeovim(): string | undefined;

/** As `findNeovim`, but installs Debian's where that is allowed. Throws one line that says what to do. */
export function ensureNeovim(): Promise<string>;
