import path from 'node:path';

export const projectRoot = path.join(import.meta.dirname, '../..');
export const stubExtension = path.join(import.meta.dirname, 'stub');
/** The suites that run inside the extension host, bundled. */
export const hostTests = path.join(projectRoot, 'out/editor-tests.cjs');
export const artifacts = path.join(projectRoot, 'artifacts/editor');
