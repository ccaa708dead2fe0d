// Before `npm start` and `npm test`: installs the packages where they are missing or not those of package-lock.json, then builds.
// Runs on the machine's own Node (20 or newer) and needs no package itself.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { npm, projectNode, projectRoot, run } from './process.mjs';

const oldest = 20;

const packagesOf = (file) => {
  try {
    return JSON.parse(readFileSync(path.join(projectRoot, file), 'utf8')).packages ?? {};
  } catch {
    return undefined;
  }
};

/** npm notes in node_modules what it installed; what a platform does not need is left out there. */
function isInstalled() {
  const wanted = packagesOf('package-lock.json');
  const present = packagesOf('node_modules/.package-lock.json');
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(
    ([place, { version, integrity, optional, link }]) =>
      place === '' ||
      link === true ||
      (place in present
        ? present[place].version === version && present[place].integrity === integrity
        : optional === true),
  );
}

function projectNodeVersion() {
  if (!existsSync(projectNode)) return undefined;
  try {
    return execFileSync(projectNode, ['--version'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

async function install() {
  if (!isInstalled()) {
    console.log('Installing packages …');
    await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error']);
  }
  // Its install script fetches the binary; where scripts were held back, it runs now.
  if (projectNodeVersion() === undefined) await npm(['rebuild', 'node', '--loglevel=error']);
  const version = projectNodeVersion();
  if (version === undefined)
    throw new Error('The npm package "node" brought no program for this machine: see CONTRIBUTING.md.');
}

async function main() {
  if (Number(process.versions.node.split('.')[0]) < oldest)
    throw new Error(`Node ${oldest} or newer is needed; this is Node ${process.versions.node}.`);
  await install();
  await run(projectNode, ['scripts/build.mjs']);
}

main().catch((error) => {
  console.error(error.message);
  process.exitCode = 1;
});
