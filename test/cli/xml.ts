import assert from 'node:assert/strict';

export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** Fails where a text is no well-formed XML 1.0 document; gives its tags in order. */
export function assertWellFormed(xml: string): readonly Tag[] {
  assert.doesNotMatch(
    xml,
    /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u,
    'a character that XML does not have',
  );
  const open: string[] = [];
  const tags: Tag[] = [];
  let rest = xml.replace(/^<\?xml version="1\.0" encoding="UTF-8"\?>\n/, '');
  assert.notEqual(rest, xml, 'no declaration');
  while (rest !== '') {
    const text = /^[^<]+/.exec(rest)?.[0];
    const tag = /^<(\/?)([a-z-]+)((?:\s+[a-z]+="[^"<]*")*)\s*(\/?)>/.exec(rest);
    if (text !== undefined) {
      assert.doesNotMatch(text, /\]\]>/);
      decode(text);
      if (open.length === 0) assert.equal(text.trim(), '');
      rest = rest.slice(text.length);
      continue;
    }
    assert.ok(tag, `no tag: ${rest.slice(0, 100)}`);
    const [whole, close, name = '', attributes = '', empty] = tag;
    if (close === '/') assert.equal(open.pop(), name);
    else {
      const all = [...attributes.matchAll(/([a-z]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        decode(value),
      ]);
      assert.equal(new Set(all.map(([key]) => key)).size, all.length);
      tags.push({ name, attributes: Object.fromEntries(all) as Record<string, string> });
      if (empty !== '/') open.push(name);
    }
    rest = rest.slice(whole.length);
  }
  assert.deepEqual(open, []);
  return tags;
}

function decode(text: string): string {
  return text.replace(/&(?:#(\d+);|(\w+);)?/g, (_, code: string | undefined, name: string | undefined) => {
    if (code !== undefined) return String.fromCodePoint(Number(code));
    const character = name === undefined ? undefined : ENTITIES[name];
    assert.ok(character, `no entity: ${text}`);
    return character;
  });
}
