/** Documents that show one record, as the client opens them. */
import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import type { ViewKind, ViewReadResult, ViewRefResult } from '../../schemas/views.ts';
import { RECORD_LANGUAGE, VIEW_READ, VIEW_REF, VIEW_SCHEME } from '../../schemas/views.ts';
import type { WireServer } from './server.ts';

/** Opens a document of a record of a file; gives its address and text once the server has looked at it. */
export async function openView(
  server: WireServer,
  file: string,
  index: number,
  kind: ViewKind,
): Promise<{ readonly uri: string; readonly text: string }> {
  const found = await server.connection.sendRequest<ViewRefResult>(VIEW_REF, { file, index, kind });
  assert.equal(found.problem, null);
  const name = `${found.title}.${kind === 'record' ? 'record' : 'py'}`;
  const query = encodeURIComponent(JSON.stringify(found.ref));
  const uri = `${VIEW_SCHEME}:${fileURLToPath(file)}/${encodeURIComponent(name)}?${query}`;
  const read = await server.connection.sendRequest<ViewReadResult>(VIEW_READ, { uri });
  assert.equal(read.kind, 'text', JSON.stringify(read));
  const { text } = read as Extract<ViewReadResult, { kind: 'text' }>;
  await server.open(uri, text, kind === 'record' ? RECORD_LANGUAGE : 'python');
  await server.status(uri, ({ records, profile }) => records === 1 && profile !== null);
  return { uri, text };
}
