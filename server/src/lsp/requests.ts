import { MessageType } from 'vscode-languageserver/node';
import type {
  CancellationToken,
  CodeAction,
  CodeActionParams,
  CodeLens,
  Connection,
  ExecuteCommandParams,
  Hover,
  SemanticTokens,
  SemanticTokensParams,
  SemanticTokensRangeParams,
} from 'vscode-languageserver/node';
import { URI } from 'vscode-uri';
import type {
  AcceptParams,
  AcceptResult,
  ConfigurationParams,
  ConfigurationProposal,
  CursorParams,
  EvidenceParams,
  EvidenceView,
  ExplainParams,
  FixTarget,
  LocateParams,
  ProtocolRange,
  RecordAt,
  RecordAtParams,
  RecordParams,
  RuleSummary,
  RunAllParams,
  RunAllResult,
  Settings,
  SolutionOutcome,
} from '../../../schemas/protocol.ts';
import {
  ACCEPT,
  CONFIGURATION,
  CURSOR,
  EVIDENCE,
  EXPLAIN,
  FIX_ON_DISK,
  LENS_COMMANDS,
  LOCATE,
  RECORD_AT,
  RULE_LIST,
  RUN_ALL,
  RUN_SOLUTION,
} from '../../../schemas/protocol.ts';
import { isReading } from '../core/evidence/spaces.ts';
import { spanInString } from '../core/text/offsets.ts';
import { cancelOf } from './cancel.ts';
import { changesOf, codeActions, resolveAction, titleOf, uriOfAction } from './features/code-actions.ts';
import type { ActionClient, Changes } from './features/code-actions.ts';
import { configurationActions } from './configuration-file.ts';
import { evidenceOf } from './evidence/evidence.ts';
import { spanOf } from './evidence/located.ts';
import { spaceInUse } from './evidence/space-in-use.ts';
import { guarded, guardedNotification } from './guard.ts';
import type { Log } from './guard.ts';
import { hoverAt } from './features/hover.ts';
import { tell } from './tell.ts';
import { lensText } from './features/lens-text.ts';
import { lensesOf, MANY, resolveLens } from './features/lenses.ts';
import type { LensData } from './features/lenses.ts';
import { placeAt } from './place.ts';
import { proposalOf } from './features/proposal.ts';
import { rangeIn } from './ranges.ts';
import { traceAtOnce, traceWhole } from './evidence/record-trace.ts';
import type { ServerRuntime } from './runtime.ts';
import { rowAt } from './session/rows.ts';
import type { Row } from './session/rows.ts';
import { ruleList, rulePage } from './features/rule-page.ts';
import { semanticTokens } from './features/semantic-tokens.ts';
import type { Session } from './session/session.ts';

export interface RequestContext {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'documents'>;
  session(uri: string): Session | undefined;
  /** The same, and of a file that no editor has open, once its configuration is known. */
  settled(uri: string): Promise<Session | undefined>;
  /** The session of the file whose record a document shows; undefined: it is no such document. */
  fileOf(uri: string): Promise<Session | undefined>;
  /** An open `auditable-qa.json`. */
  configuration(uri: string): { readonly text: string; readonly version: number } | undefined;
  settings(): Settings;
  trusted(): boolean;
  rulePage(code: string): string | undefined;
  lensesChanged(): void;
  accept(session: Session, params: AcceptParams): Promise<AcceptResult>;
  actionClient(): ActionClient;
  /** Writes fixes to the disk; says on the screen where it cannot. `title`: what to undo. */
  rewrite(session: Session, changes: Changes, title: string): Promise<void>;
}

/** Everything that a client asks: LSP's own requests and those of schemas/protocol.ts. */
export function registerRequests(connection: Connection, context: RequestContext): void {
  const { log } = context;
  let cursor: CursorParams | undefined;

  /** A session that a profile fits. */
  const active = (uri: string): Session | undefined => {
    const session = context.session(uri);
    return session?.checker === undefined ? undefined : session;
  };

  /** Of a file that no editor has open, too: it may be one that the editor does not hand over. */
  const anyActive = async (uri: string): Promise<Session | undefined> => {
    const session = active(uri) ?? (await context.settled(uri));
    return session?.checker === undefined ? undefined : session;
  };

  /** The protocol knows null as an answer (no tokens as a whole: ask for a range); the library's types do not. */
  const tokensHandler = <P extends { textDocument: { uri: string } }>(
    name: string,
    rangeOf: (params: P) => SemanticTokensRangeParams['range'] | undefined,
  ): ((params: P, token: CancellationToken) => Promise<SemanticTokens>) =>
    guarded<P, SemanticTokens | null>(name, log, null, (params, token) => {
      const session = active(params.textDocument.uri);
      return session === undefined ? null : semanticTokens(session, rangeOf(params), cancelOf(token));
    }) as (params: P, token: CancellationToken) => Promise<SemanticTokens>;

  connection.onHover(
    guarded<Parameters<Parameters<typeof connection.onHover>[0]>[0], Hover | null>(
      'hover',
      log,
      null,
      (params, token) => {
        const session = active(params.textDocument.uri);
        const row = session && rowUnder(session, params.position);
        return session && row ? hoverAt(session, row, params.position, context, cancelOf(token)) : null;
      },
    ),
  );

  connection.languages.semanticTokens.on(tokensHandler<SemanticTokensParams>('semantic tokens', () => undefined));
  connection.languages.semanticTokens.onRange(
    tokensHandler<SemanticTokensRangeParams>('semantic tokens of a range', ({ range }) => range),
  );

  connection.onCodeLens(
    guarded<{ textDocument: { uri: string } }, CodeLens[] | null>(
      'codeLens',
      log,
      null,
      ({ textDocument: { uri } }) => {
        const session = active(uri);
        if (session === undefined || !context.settings().codeLens.enabled) return null;
        return lensesOf(session, cursor?.uri === uri ? rowOf(session, cursor) : undefined, context.actionClient().asks);
      },
    ),
  );

  connection.onCodeLensResolve(async (lens, token) => {
    const resolve = guarded<CodeLens, CodeLens>('resolve code lens', log, lens, () => {
      const data = lens.data as LensData;
      const session = active(data.uri);
      const row = session?.row(data.index);
      return session && row ? resolveLens(lens, data, session, row, context.trusted()) : lens;
    });
    return resolve(lens, token) as Promise<CodeLens>;
  });

  connection.onCodeAction(
    guarded<CodeActionParams, CodeAction[] | null>('codeAction', log, null, (params) => {
      const { uri } = params.textDocument;
      const configuration = context.configuration(uri);
      if (configuration !== undefined)
        return configurationActions({ uri, ...configuration, versions: context.actionClient().versions }, params);
      const session = active(uri);
      return session === undefined ? null : codeActions(session, params, context.actionClient());
    }),
  );

  connection.onCodeActionResolve(async (action, token) => {
    const resolve = guarded<CodeAction, CodeAction>('resolve code action', log, action, () => {
      const session = active(uriOfAction(action) ?? '');
      return session === undefined ? action : resolveAction(action, session, context.actionClient());
    });
    return resolve(action, token) as Promise<CodeAction>;
  });

  connection.onExecuteCommand(
    guarded<ExecuteCommandParams, null>('executeCommand', log, null, async ({ command, arguments: given }) => {
      if (command === LENS_COMMANDS.run) {
        const [uri, index] = given ?? [];
        if (typeof uri === 'string' && typeof index === 'number') await runAndTell({ uri, index });
        return null;
      }
      const target = given?.[0] as FixTarget | undefined;
      const session = command === FIX_ON_DISK && target !== undefined ? await anyActive(target.uri) : undefined;
      if (session !== undefined && target !== undefined)
        await context.rewrite(session, changesOf(session, target), titleOf(session, target));
      return null;
    }),
  );

  /** For clients that do not run solutions by a request of their own. */
  async function runAndTell({ uri, index }: RecordParams): Promise<void> {
    const session = active(uri);
    const row = session?.row(index);
    const outcome = session && row && (await session.run(row));
    if (outcome === undefined) return;
    const text = lensText(outcome, context.trusted() ? 'idle' : 'untrusted').slice(2);
    tell(connection, MessageType.Info, `Record ${index + 1}: ${text}`);
  }

  connection.onNotification(
    CURSOR,
    guardedNotification<CursorParams>('cursor', log, (params) => {
      const session = active(params.uri);
      const before = session && cursor?.uri === params.uri ? rowOf(session, cursor) : undefined;
      cursor = params;
      if (session === undefined || session.rows().length <= MANY) return;
      if (rowOf(session, params) !== before) context.lensesChanged();
    }),
  );

  connection.onRequest(
    RUN_SOLUTION,
    guarded<RecordParams, SolutionOutcome | null>('run solution', log, null, async ({ uri, index }) => {
      const session = await anyActive(uri);
      const row = session?.row(index);
      return (session && row && (await session.run(row))) ?? null;
    }),
  );

  connection.onRequest(
    RUN_ALL,
    guarded<RunAllParams, RunAllResult | null>('run all solutions', log, null, async ({ uri }, token) => {
      const session = await anyActive(uri);
      return session === undefined ? null : session.runAll(cancelOf(token));
    }),
  );

  connection.onRequest(
    EVIDENCE,
    guarded<EvidenceParams, EvidenceView | null>(
      'evidence',
      log,
      null,
      async ({ uri, position, index, withPages, reading }, token) => {
        const session = await anyActive(uri);
        if (session === undefined) return null;
        const row = index !== undefined ? session.row(index) : position && rowOf(session, { position });
        if (row === undefined) return null;
        const cancel = cancelOf(token);
        await session.complete(row, cancel);
        const trace = withPages === true ? await traceWhole(session, row, cancel) : traceAtOnce(session, row);
        const file = (await context.fileOf(uri)) ?? session;
        const space = await spaceInUse(session, row, file, reading, context.runtime, cancel);
        if (row.gone) return null;
        const cursor = position === undefined ? undefined : placeAt(row, position);
        return evidenceOf(session, row, trace, cursor, space);
      },
    ),
  );

  connection.onRequest(
    LOCATE,
    guarded<LocateParams, ProtocolRange | null>('locate', log, null, async ({ uri, index, pointer, inString }) => {
      const row = (await anyActive(uri))?.row(index);
      const span = row && spanOf(row.text, pointer);
      if (row === undefined || span === undefined) return null;
      const isPart = inString !== undefined && row.text.charAt(span.start) === '"';
      const part = isPart ? spanInString(row.text, span, inString) : span;
      return row.lens?.shows(part) === false ? null : rangeIn(row, part);
    }),
  );

  connection.onRequest(
    RECORD_AT,
    guarded<RecordAtParams, RecordAt | null>('record at', log, null, async (params) => {
      const session = await anyActive(params.uri);
      const row = session && rowOf(session, params);
      if (session === undefined || row === undefined) return null;
      const range = rangeIn(row, { start: 0, end: row.text.length });
      return { index: row.index, records: session.records(), range };
    }),
  );

  connection.onRequest(
    ACCEPT,
    guarded<AcceptParams, AcceptResult | null>('accept', log, null, async (params) => {
      const session = await anyActive(params.uri);
      return session === undefined ? null : context.accept(session, params);
    }),
  );

  connection.onRequest(
    CONFIGURATION,
    guarded<ConfigurationParams, ConfigurationProposal | null>('configuration', log, null, async ({ uri, reading }) => {
      const session = await anyActive(uri);
      return session === undefined
        ? null
        : proposalOf(session, (path) => URI.file(path).toString(), isReading(reading) ? reading : undefined);
    }),
  );

  connection.onRequest(
    RULE_LIST,
    guarded<unknown, readonly RuleSummary[]>('rules', log, [], () => ruleList()),
  );
  connection.onRequest(
    EXPLAIN,
    guarded<ExplainParams, string | null>('explain', log, null, ({ code }) => rulePage(code)),
  );
}

/** The record at a position or the next one. */
function rowOf(session: Session, { position }: Pick<CursorParams, 'position'>): Row | undefined {
  return rowAt(session.rows(), position.line, position.character);
}

/** The record at a position; undefined between records. */
function rowUnder(session: Session, position: CursorParams['position']): Row | undefined {
  const row = rowOf(session, { position });
  return row !== undefined && placeAt(row, position) !== undefined ? row : undefined;
}
