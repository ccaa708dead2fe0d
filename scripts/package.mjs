// Builds the .vsix: node scripts/package.mjs. Needs no network.
import { copyFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { glob } from 'tinyglobby';
import manifest from '../package.json' with { type: 'json' };
import { build } from './build.mjs';
import { isMain, projectNode, projectRoot, run } from './process.mjs';

const vsce = path.join(projectRoot, 'node_modules/@vscode/vsce/vsce');

/** Sandbox, snapshot, PDF reader and character maps together; a larger package is a mistake. */
const largestBytes = 20 * 1024 * 1024;

export const vsixPath = path.join(projectRoot, `${manifest.name}-${manifest.version}.vsix`);

/** The allowlist in .vscodeignore: the patterns after `!`. */
async function allowed() {
  const lines = (await readFile(path.join(projectRoot, '.vscodeignore'), 'utf8')).split('\n');
  return lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).trim());
}

/** Paths of the files that ship, from the project root, sorted. dist/ must be built. */
export async function packagedFiles() {
  return (await glob(await allowed(), { cwd: projectRoot, expandDirectories: false })).sort();
}

const modified = async (file) => (await stat(file).catch(() => undefined))?.mtimeMs ?? 0;

async function isCurrent() {
  const packed = await modified(vsixPath);
  const times = await Promise.all(
    [...(await packagedFiles()), '.vscodeignore'].map((file) => modified(path.join(projectRoot, file))),
  );
  return times.every((time) => time < packed);
}

/** Where the manifest names a repository, vsce makes links and pictures of the README lead there. */
const hasRepository = 'repository' in manifest;

/**
 * Text of a page as it ships. Pictures do not, and VS Code shows none that lie beside a README: the lines that show one are left
 * out, but of a README whose pictures lead to the repository.
 */
export function shippedText(file, text) {
  if (!file.endsWith('.md') || (hasRepository && file === 'README.md')) return text;
  return text.replace(/^!\[[^\]\n]*\]\((?![a-z][a-z0-9+.-]*:)[^)\n]*\)\n\n?/gim, '');
}

/** Copies what ships into a folder of its own: vsce looks at every file of the folder it packs, and here there are many. */
async function stage() {
  const folder = path.join(projectRoot, 'out/package');
  await rm(folder, { recursive: true, force: true });
  for (const file of await packagedFiles()) {
    const target = path.join(folder, file);
    await mkdir(path.dirname(target), { recursive: true });
    if (file.endsWith('.md'))
      await writeFile(target, shippedText(file, await readFile(path.join(projectRoot, file), 'utf8')));
    else await copyFile(path.join(projectRoot, file), target);
  }
  return folder;
}

async function pack(folder, out) {
  // Everything that runs is bundled; a dependency folder would only double it.
  const links = hasRepository ? [] : ['--allow-missing-repository', '--no-rewrite-relative-links'];
  const options = ['--no-dependencies', ...links];
  await run(projectNode, [vsce, 'package', ...options, '--out', out], { cwd: folder, quiet: true });
}

/**
 * Packs the extension with another `engines.vscode` (such as `^1.100.0`), for tests in a VS Code older than those that the extension
 * is meant for. Returns the path of the .vsix, which is not the one that ships.
 */
export async function packageForEngine(engine) {
  const folder = await stage();
  const file = path.join(folder, 'package.json');
  const staged = JSON.parse(await readFile(file, 'utf8'));
  staged.engines.vscode = engine;
  // vsce holds the types of the editor's interface against `engines`.
  delete staged.devDependencies;
  await writeFile(file, JSON.stringify(staged, undefined, 2));
  const out = path.join(projectRoot, 'out', `${manifest.name}-for-tests.vsix`);
  await pack(folder, out);
  return out;
}

/** Packs what stands in dist/ unless the .vsix already holds it. Returns the path of the .vsix. */
export async function packageExtension() {
  if (!(await isCurrent())) await pack(await stage(), vsixPath);
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
