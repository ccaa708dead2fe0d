/**
 * The documentation as a site of plain files: `npm run docs` writes docs/*.md, the pages at the top of the project and the pages
 * made from the program to out/site/. It works from a folder (file://) and from any server, offline, without a framework:
 * markdown-it reads the Markdown, esbuild bundles the one script.
 */
import { copyFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import esbuild from 'esbuild';
import { manifest } from '../manifest.ts';
import { isOutside, siteAddress } from './markdown.ts';
import { filedPages, navigationOf, pageOf, ROOT } from './pages.ts';
import type { Page } from './pages.ts';
import { commandLinePage, settingsPage } from './reference.ts';
import { document } from './template.ts';

export const SITE = path.join(ROOT, 'out/site');

/** Every page of the site, those made from the program included. */
export const sitePages = (): readonly Page[] => [
  ...filedPages(),
  pageOf('docs/command-line.md', commandLinePage()),
  pageOf('docs/settings.md', settingsPage()),
];

function write(folder: string, file: string, content: string): void {
  const target = path.join(folder, file);
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, content);
}

/** Files that pages link to or show and that are no pages: pictures, schemas, the licence. */
function linkedFiles(pages: readonly Page[]): readonly string[] {
  const files = pages.flatMap(({ page, links }) =>
    links
      .filter(({ href }) => !isOutside(href) && !href.startsWith('#'))
      .map(({ href }) => path.posix.join(path.posix.dirname(page), href.replace(/#.*$/, '')))
      .filter((target) => !target.endsWith('.md')),
  );
  return [...new Set(files)];
}

function sections(pages: readonly Page[]): string {
  const all = pages.flatMap((page) =>
    page.sections.map(({ slug, heading, text }) => ({
      address: siteAddress(page.page) + (slug === '' ? '' : `#${slug}`),
      page: page.title,
      heading,
      text: text.replace(/\s+/g, ' ').trim(),
    })),
  );
  return `window.auditableQaSections = ${JSON.stringify(all.map((one, id) => ({ id, ...one })))};\n`;
}

/** Writes the site into an empty folder; returns the addresses of its pages. */
export async function buildSite(folder: string): Promise<readonly string[]> {
  rmSync(folder, { recursive: true, force: true });
  const pages = sitePages();
  const frame = { version: manifest.version, pages, groups: navigationOf(pages) };
  for (const page of pages) write(folder, siteAddress(page.page), document(page, frame));
  for (const file of linkedFiles(pages)) {
    const source = path.join(ROOT, file);
    // What is missing is told by the test of the links, with the line that has the link.
    if (!existsSync(source)) continue;
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    if (statSync(source).isDirectory()) cpSync(source, path.join(folder, file), { recursive: true });
    else copyFileSync(source, path.join(folder, file));
  }
  write(folder, 'assets/sections.js', sections(pages));
  write(folder, 'assets/site.css', readFileSync(path.join(import.meta.dirname, 'site.css'), 'utf8'));
  copyFileSync(path.join(ROOT, 'client/media/icon.svg'), path.join(folder, 'assets/icon.svg'));
  await esbuild.build({
    entryPoints: [path.join(import.meta.dirname, 'browser.ts')],
    outfile: path.join(folder, 'assets/site.js'),
    bundle: true,
    minify: true,
    format: 'iife',
    target: 'es2022',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return pages.map(({ page }) => siteAddress(page));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const addresses = await buildSite(SITE);
  console.log(`${addresses.length} pages: ${path.relative(process.cwd(), path.join(SITE, 'index.html'))}`);
}
