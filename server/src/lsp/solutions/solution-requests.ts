/** Values of a run beside a solution, and its steps. Both in documents that show one record: a line of a file has no room. */
import { InlayHintRefreshRequest } from 'vscode-languageserver/node';
import type { Connection, InlayHint, InlayHintParams } from 'vscode-languageserver/node';
import type { ProtocolRange } from '../../../../schemas/protocol.ts';
import type { StepsParams, StepsResult } from '../../../../schemas/steps.ts';
import { STEPS } from '../../../../schemas/steps.ts';
import { pointerTo } from '../../core/record/canonical.ts';
import { spanOfPointer } from '../../core/text/offsets.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import { inlayValues } from './inlay-values.ts';
import { rangeIn } from '../ranges.ts';
import type { Row } from '../session/rows.ts';
import type { Session } from '../session/session.ts';
import type { SolutionSteps } from './solution-steps.ts';
import type { SpotServices } from '../features/spots.ts';
import { partOf, stringIn } from '../features/targets.ts';
import { isView } from '../views/views.ts';

export interface SolutionRequestContext extends SpotServices {
  readonly log: Log;
  session(uri: string): Session | undefined;
  readonly steps: SolutionSteps;
  trusted(): boolean;
}

export const INLAY_CAPABILITIES = { inlayHintProvider: true } as const;

export function registerSolutionRequests(connection: Connection, context: SolutionRequestContext): void {
  const { log, steps } = context;

  /** The one record of a document that shows one, its findings in step with its text. */
  function shownIn(uri: string): { readonly session: Session; readonly row: Row } | undefined {
    const session = isView(uri) ? context.session(uri) : undefined;
    const row = session?.checker === undefined ? undefined : session.rowAt({ line: 0, character: 0 });
    return session && row && { session, row };
  }

  connection.languages.inlayHint.on(
    guarded<InlayHintParams, InlayHint[] | null>('inlayHint', log, null, async ({ textDocument: { uri }, range }) => {
      // An editor shows an answer where its text is by then: where that has changed meanwhile, it is given anew.
      for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
        const shown = shownIn(uri);
        if (shown === undefined) return null;
        const { version } = shown.session;
        const found = await steps.of(shown.session, shown.row, false);
        const hints = found?.kind === 'steps' ? await inlayValues(context, shown, found.steps, range) : null;
        if (shown.session.version === version) return hints;
      }
      return null;
    }),
  );

  connection.onRequest(
    STEPS,
    guarded<StepsParams, StepsResult>('steps', log, FAILED, async ({ uri }) => {
      const shown = shownIn(uri);
      if (shown === undefined) return problem('The document shows no record that a profile fits.');
      const { session, row } = shown;
      const { version } = session;
      if (!context.trusted()) return problem('Solutions are run in trusted workspaces only.');
      const lines = linesOf(row);
      if (lines === undefined) return problem('The record has no Python solution that the document shows.');
      const found = await steps.of(session, row, true);
      const outcome = row.checked && session.checker?.outcome(row.checked, row.run);
      if (session.version !== version) return problem('The solution was changed meanwhile.');
      if (found === undefined || outcome === undefined) return problem('The solution cannot be run.');
      if (found.kind === 'problem') return found;
      return { kind: 'steps', version, lines, outcome, ...found.steps };
    }),
  );
}

const ATTEMPTS = 3;

const FAILED: StepsResult = problem('The language server failed on this; its output says why.');

function problem(message: string): StepsResult {
  return { kind: 'problem', message };
}

/** The places of the solution's lines in the document. */
function linesOf(row: Row): readonly ProtocolRange[] | undefined {
  const record = row.checked?.record;
  const pointer = record && pointerTo(record, 'solution');
  const span = pointer === undefined ? undefined : spanOfPointer(row.text, pointer);
  if (pointer === undefined || span === undefined || row.lens?.shows(span) === false) return undefined;
  const solution = stringIn(row.text, pointer, span.start);
  if (solution === undefined || record?.solution === undefined) return undefined;
  const lines: ProtocolRange[] = [];
  let start = 0;
  for (const [whole, end] of solution.value.matchAll(/[^\r\n]*(\r\n?|\n|$)/g)) {
    const text = whole.slice(0, whole.length - end!.length);
    const from = start + (text.length - text.trimStart().length);
    const to = start + text.trimEnd().length;
    if (whole === '') break;
    const isBlank = text.trim() === '';
    const range = rangeIn(row, partOf(row, solution, { start: isBlank ? start : from, end: isBlank ? start + 1 : to }));
    lines.push(isBlank ? { start: range.start, end: range.start } : range);
    start += whole.length;
  }
  return lines;
}

/** Tells an editor that values may be others now. */
export function refreshInlayValues(connection: Connection, log: Log): void {
  connection.sendRequest(InlayHintRefreshRequest.type).catch((error: unknown) => log(String(error)));
}
