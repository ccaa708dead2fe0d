export const vsixPath: string;

/** Paths of the files that ship, from the project root, sorted. dist/ must be built. */
export function packagedFiles(): Promise<string[]>;

/** Packs what stands in dist/ unless the .vsix already holds it. Returns the path of the .vsix. */
export function packageExtension(): Promise<string>;
