// The licences of the packages whose code ships inside dist/: bundling must not lose them.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectRoot } from './process.mjs';
import { writeChanged } from './write-changed.mjs';

/** Copied or embedded by other means than a bundle's imports. */
const always = ['pdfjs-dist', 'pyodide'];

/** Licences of what a package holds of others' work, beside its own. */
const further = { '@jsquash/webp': ['codec/LICENSE.codec.md'] };

/** The same where the package does not say it itself. */
const ours = { '@hyzyla/pdfium': 'scripts/licences/pdfium.txt' };

const packageOf = (input) => {
  const parts = input.split('node_modules/');
  if (parts.length < 2) return undefined;
  const names = parts.at(-1).split('/');
  const name = names[0].startsWith('@') ? names.slice(0, 2).join('/') : names[0];
  return `${parts.slice(0, -1).join('node_modules/')}node_modules/${name}`;
};

function noticeOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)(\.|-|$)/i.test(entry));
  const files = [...(file === undefined ? [] : [file]), ...(further[name] ?? [])];
  const texts = files.map((each) => readFileSync(path.join(folder, each), 'utf8').trim());
  if (name in ours) texts.push(readFileSync(path.join(projectRoot, ours[name]), 'utf8').trim());
  return { title: `${name} ${version} (${license})`, text: texts.join('\n\n') || `Licence: ${license}` };
}

/** Writes the notices of all packages that the esbuild inputs `inputs` (paths from the project root) come from. */
export async function writeNotices(file, inputs) {
  const folders = new Set(always.map((name) => `node_modules/${name}`));
  for (const input of inputs) {
    const folder = packageOf(input);
    if (folder !== undefined && existsSync(path.join(projectRoot, folder, 'package.json'))) folders.add(folder);
  }
  const notices = [...folders].map((folder) => noticeOf(path.join(projectRoot, folder)));
  notices.sort((a, b) => (a.title < b.title ? -1 : 1));
  const rule = '-'.repeat(78);
  const body = notices.map(({ title, text }) => `${rule}\n${title}\n\n${text}\n`).join('\n');
  await writeChanged(file, `This extension contains code of the packages below, each under its licence.\n\n${body}`);
}
