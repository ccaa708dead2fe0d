import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { getLanguageService } from 'vscode-json-languageservice';
import type { JSONSchema } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { BUILTIN_PROFILES } from '../../../server/src/core/profile/builtin.ts';
import { RULES } from '../../../server/src/core/rules/registry.ts';

const FILE = path.resolve(import.meta.dirname, '../../../schemas/auditable-qa.schema.json');

/** What an editor offers and shows inside `auditable-qa.json`, by the engine that VS Code has for JSON. */
describe('completion and hover inside auditable-qa.json', () => {
  const schema = JSON.parse(readFileSync(FILE, 'utf8')) as JSONSchema;
  const service = getLanguageService({});
  service.configure({ validate: true, schemas: [{ uri: 'schema://a', fileMatch: ['*.json'], schema }] });

  /** The document with its cursor, written as `|`. */
  const laid = (marked: string) => {
    const offset = marked.indexOf('|');
    const document = TextDocument.create('file:///auditable-qa.json', 'json', 1, marked.replace('|', ''));
    return { document, position: document.positionAt(offset), parsed: service.parseJSONDocument(document) };
  };
  const offered = async (marked: string): Promise<string[]> => {
    const { document, position, parsed } = laid(marked);
    const list = await service.doComplete(document, position, parsed);
    return (list?.items ?? []).map(({ label }) => label.replace(/^"|"$/g, ''));
  };
  const shown = async (marked: string): Promise<string> => {
    const { document, position, parsed } = laid(marked);
    return JSON.stringify((await service.doHover(document, position, parsed))?.contents ?? '');
  };
  const dataset = (members: string): string => `{"datasets":[{"files":["*.jsonl"],${members}}]}`;

  it('offers every rule, and its levels', async () => {
    const codes = await offered(dataset('"rules":{"|"}'));
    for (const { code } of RULES) assert.ok(codes.includes(code), code);
    assert.deepEqual(await offered(dataset('"rules":{"box/nested":|}')), ['error', 'warning', 'info', 'off']);
  });

  it('tells what a rule reports', async () => {
    const title = RULES.find(({ code }) => code === 'box/nested')?.title.replace(/\.$/, '') ?? '';
    const card = await shown(dataset('"rules":{"|box/nested":"off"}'));
    assert.ok(card.includes(title), card);
  });

  it('offers every profile', async () => {
    const names = BUILTIN_PROFILES.map(({ name }) => name).sort();
    assert.deepEqual((await offered(dataset('"profile":|'))).sort(), names);
    assert.deepEqual((await offered('{"profiles":{"ours":{"extends":|}}}')).sort(), names);
  });

  it('offers whole entries to start from', async () => {
    assert.ok((await offered('|')).includes('Records with PDFs'));
    assert.ok((await offered('{"datasets":[|]}')).includes('Group of files with PDFs and page images'));
    assert.ok((await offered(dataset('"coordinates":|'))).includes('PDF points'));
  });

  it('the entries are good configurations', async () => {
    const bodies = JSON.stringify(schema.defaultSnippets?.map(({ body }) => body as unknown));
    const plain = bodies.replace(/\$\{\d:((?:[^\\}]|\\\\\})*)\}/g, '$1').replaceAll('\\\\}', '}');
    for (const body of JSON.parse(plain) as unknown[]) {
      const document = TextDocument.create('file:///auditable-qa.json', 'json', 1, JSON.stringify(body));
      assert.deepEqual(await service.doValidation(document, service.parseJSONDocument(document)), []);
    }
  });
});
