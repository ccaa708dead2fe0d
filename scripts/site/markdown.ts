/** Markdown to the HTML of the site, with what the checks and the search want to know of a page. */
import path from 'node:path';
import markdownIt from 'markdown-it';

export interface Heading {
  readonly level: number;
  /** Plain text. */
  readonly text: string;
  /** Anchor, made as GitHub makes it. */
  readonly slug: string;
}

export interface Section {
  /** Empty for what stands before the first heading. */
  readonly slug: string;
  readonly heading: string;
  readonly text: string;
}

export interface Link {
  /** As written. */
  readonly href: string;
  readonly isPicture: boolean;
  /** 1-based line of the Markdown. */
  readonly line: number;
}

export interface Rendered {
  readonly title: string;
  readonly html: string;
  readonly headings: readonly Heading[];
  readonly sections: readonly Section[];
  readonly links: readonly Link[];
}

const parser = markdownIt({ html: false, linkify: false, typographer: false });
type Token = ReturnType<typeof parser.parse>[number];

/** `mailto:`, `https:` and the like. */
export const isOutside = (href: string): boolean => /^[a-z][a-z0-9+.-]*:/i.test(href);

/** GitHub's anchors: lower case, letters, digits, `-` and `_`; blanks become `-`; a second one gets `-1`. */
export function slugger(): (text: string) => string {
  const used = new Map<string, number>();
  return (text) => {
    const plain = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replace(/ /g, '-');
    const count = used.get(plain) ?? 0;
    used.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  };
}

/** Where a page of the project stands in the site: `docs/rules/README.md` → `docs/rules/index.html`. */
export const siteAddress = (page: string): string => page.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html');

/** A link of a page as the site has it. */
export function siteLink(href: string): string {
  if (isOutside(href)) return href;
  const [target = '', anchor] = href.split('#');
  return siteAddress(target) + (anchor === undefined ? '' : `#${anchor}`);
}

/** Plain text of an inline token. */
function textOf(token: Token): string {
  return (token.children ?? [])
    .map((child) => (child.type === 'softbreak' || child.type === 'hardbreak' ? ' ' : child.content))
    .join('');
}

const escape = (text: string): string => parser.utils.escapeHtml(text);

/** `page` is the path of the Markdown from the project's root, for messages and the default title. */
export function render(page: string, markdown: string): Rendered {
  const tokens = parser.parse(markdown, {});
  const slug = slugger();
  const headings: Heading[] = [];
  const links: Link[] = [];
  const sections: { slug: string; heading: string; text: string }[] = [{ slug: '', heading: '', text: '' }];
  let line = 0;
  for (const [at, token] of tokens.entries()) {
    if (token.map !== null) line = token.map[0] + 1;
    if (token.type === 'heading_open') {
      const text = textOf(tokens[at + 1]!);
      const heading = { level: Number(token.tag.slice(1)), text, slug: slug(text) };
      headings.push(heading);
      token.attrSet('id', heading.slug);
      sections.push({ slug: heading.level === 1 ? '' : heading.slug, heading: text, text: '' });
    } else if (token.type === 'inline') {
      if (tokens[at - 1]?.type !== 'heading_open') sections.at(-1)!.text += `${textOf(token)} `;
      for (const child of token.children ?? []) {
        if (child.type === 'link_open') {
          const href = String(child.attrGet('href') ?? '');
          links.push({ href: decodeURI(href), isPicture: false, line });
          child.attrSet('href', siteLink(href));
          if (isOutside(href)) child.attrSet('rel', 'noreferrer');
        } else if (child.type === 'image') {
          links.push({ href: decodeURI(String(child.attrGet('src') ?? '')), isPicture: true, line });
          child.attrSet('loading', 'lazy');
        }
      }
    } else if (token.type === 'fence' || token.type === 'code_block') sections.at(-1)!.text += `${token.content} `;
  }
  const html = parser.renderer.render(tokens, parser.options, {});
  return {
    title: headings.find((heading) => heading.level === 1)?.text ?? path.posix.basename(page, '.md'),
    html: finished(html, headings),
    headings,
    sections: sections.filter((section) => section.heading !== '' || section.text.trim() !== ''),
    links,
  };
}

/** What can be wider than the page scrolls by itself, and by keyboard; headings link to themselves. */
function finished(html: string, headings: readonly Heading[]): string {
  const named = new Map(headings.map((heading) => [heading.slug, heading.text]));
  let table = 0;
  return html
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', () => {
      table += 1;
      return `<div class="wide" role="region" tabindex="0" aria-label="Table ${table}"><table>`;
    })
    .replaceAll('</table>', '</table></div>')
    .replaceAll('<th></th>', '<td></td>')
    .replace(
      /(<h[2-6] id="([^"]+)">)(.*?)(<\/h[2-6]>)/g,
      (_whole, open: string, id: string, inner: string, close: string) =>
        `${open}${inner}<a class="anchor" href="#${id}" aria-label="Link to “${escape(named.get(id) ?? id)}”">#</a>${close}`,
    );
}
