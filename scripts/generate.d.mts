/** Returns the paths that were written, relative to the project. */
export declare function generate(): string[];
