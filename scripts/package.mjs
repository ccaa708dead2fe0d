// Builds the .vsix: node scripts/package.mjs. Needs no network.
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import manifest from '../package.json' with { type: 'json' };
import { build } from './build.mjs';
import { isMain, projectNode, projectRoot, run } from './process.mjs';

const vsce = path.join(projectRoot, 'node_modules/@vscode/vsce/vsce');

/** Sandbox, snapshot, PDF reader and character maps together; a larger package is a mistake. */
const largestBytes = 20 * 1024 * 1024;

export const vsixPath = path.join(projectRoot, `${manifest.name}-${manifest.version}.vsix`);

/** Paths of the files that ship, from the project root, sorted. dist/ must be built. */
export async function packagedFiles() {
  const files = await listFiles({ cwd: projectRoot, packageManager: PackageManager.None });
  return files.map((file) => file.split(path.sep).join('/')).sort();
}

const modified = async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;

async function isCurrent() {
  const packed = await modified(vsixPath);
  const times = await Promise.all(
    [...(await packagedFiles()), '.vscodeignore'].map((file) => modified(path.join(projectRoot, file))),
  );
  return times.every((time) => time < packed);
}

/** Packs what stands in dist/ unless the .vsix already holds it. Returns the path of the .vsix. */
export async function packageExtension() {
  if (!(await isCurrent()))
    // Everything that runs is bundled; a dependency folder would only double it.
    await run(
      projectNode,
      [
        vsce,
        'package',
        '--no-dependencies',
        '--allow-missing-repository',
        '--no-rewrite-relative-links',
        '--out',
        vsixPath,
      ],
      { quiet: true },
    );
  const { size } = await stat(vsixPath);
  if (size > largestBytes)
    throw new Error(`${path.basename(vsixPath)} has ${size} bytes; at most ${largestBytes} are meant to ship.`);
  return vsixPath;
}

if (isMain(import.meta.url)) {
  const failed = await build();
  if (failed.length > 0) throw new Error(`Not built: ${failed.join('\n')}`);
  const vsix = await packageExtension();
  console.log(`${path.relative(projectRoot, vsix)}: ${((await stat(vsix)).size / 1024 / 1024).toFixed(1)} MB`);
}
