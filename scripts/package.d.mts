export const vsixPath: string;

/** Paths of the files that ship, from the project root, sorted. dist/ must be built. */
export function packagedFiles(): Promise<string[]>;

/** Packs what stands in dist/ unless the .vsix already holds it. Returns the path of the .vsix. */
export function packageExtension(): Promise<string>;

/** Packs the extension with another `engines.vscode`, for tests in a VS Code older than those it is meant for. Returns the path of the .vsix. */
export function packageForEngine(engine: string): Promise<string>;

/** Text of a page as it ships: without its pictures, which do not. `file` is the path from the project's root. */
export function shippedText(file: string, text: string): string;
