/** Records of the workspace by id and question: of open files, and of files that are read for it in the background. */
import { SymbolKind } from 'vscode-languageserver/node';
import type { SymbolInformation } from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import { fits } from '../../core/text/fuzzy.ts';
import type { Cancel } from '../../core/ports.ts';
import { baseName } from '../../core/profile/paths.ts';
import { rangeIn } from '../ranges.ts';
import type { RecordNames } from './record-names.ts';
import type { Brief } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import { recordName } from './symbols.ts';
import { isView } from '../views/views.ts';

const MOST = 200;
/** Work on the server's thread is cut into slices of so many ms, so that requests get their turn. */
const SLICE_MS = 20;

export interface WorkspaceSymbolServices {
  sessions(): Iterable<Session>;
  readonly names: RecordNames;
}

interface Match {
  readonly symbol: () => SymbolInformation;
  readonly score: number;
}

/** What a record of a large file is called by. */
function namedBy({ facts }: Brief): { readonly id: string | undefined; readonly question: string | undefined } {
  return { id: facts?.id ?? undefined, question: facts?.question ?? undefined };
}

/** At most 200, best first. What was found until then where the question is not wanted any more. */
export async function workspaceSymbols(
  query: string,
  { sessions, names }: WorkspaceSymbolServices,
  cancel: Cancel,
): Promise<SymbolInformation[]> {
  const best = createBest();
  const pause = createPause();
  const seen = new Set<string>();
  for (const session of [...sessions()]) {
    if (isView(session.uri) || session.checker === undefined || seen.has(session.path)) continue;
    seen.add(session.path);
    for (const row of session.rows()) {
      await pause();
      if (cancel.aborted) return best.all();
      const record = row.brief === undefined ? row.checked?.record : namedBy(row.brief);
      const score = record && fits(query, record.id ?? '', record.question ?? '');
      if (record === undefined || score === undefined) continue;
      const symbol = (): SymbolInformation =>
        symbolOf(
          recordName(row.index, record),
          session.uri,
          session.path,
          rangeIn(row, { start: 0, end: row.text.length }),
        );
      best.add({ symbol, score });
    }
  }
  for await (const { path, records } of names.files(cancel)) {
    if (seen.has(path)) continue;
    const uri = URI.file(path).toString();
    for (const { id, question, index, line, column } of records) {
      await pause();
      if (cancel.aborted) return best.all();
      const score = fits(query, id, question);
      if (score === undefined) continue;
      const start = { line, character: column };
      best.add({
        symbol: () => symbolOf(recordName(index, { id, question }), uri, path, { start, end: start }),
        score,
      });
    }
  }
  return best.all();
}

function symbolOf(
  name: string,
  uri: string,
  path: string,
  range: SymbolInformation['location']['range'],
): SymbolInformation {
  return {
    name,
    kind: SymbolKind.Object,
    location: { uri, range },
    containerName: baseName(path.replaceAll('\\', '/')),
  };
}

function createBest(): { add(match: Match): void; all(): SymbolInformation[] } {
  let kept: Match[] = [];
  const cut = (): void => {
    kept.sort((a, b) => b.score - a.score);
    kept = kept.slice(0, MOST);
  };
  return {
    add(match) {
      kept.push(match);
      if (kept.length >= 4 * MOST) cut();
    },
    all() {
      cut();
      return kept.map(({ symbol }) => symbol());
    },
  };
}

function createPause(): () => Promise<void> | undefined {
  let end = performance.now() + SLICE_MS;
  let count = 0;
  return () => {
    if (++count % 64 !== 0 || performance.now() < end) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        end = performance.now() + SLICE_MS;
        resolve();
      }),
    );
  };
}
