/** Completion in record files and in documents that show one record: where it is asked for, and what an item says in full. */
import type {
  CompletionItem,
  CompletionList,
  CompletionParams,
  Connection,
  Position,
} from 'vscode-languageserver/node';
import { CompletionTriggerKind, MarkupKind } from 'vscode-languageserver/node';
import { pythonPlace } from '../../core/complete/python.ts';
import { repairedAt, writingPlace } from '../../core/complete/place.ts';
import type { WritingPlace } from '../../core/complete/place.ts';
import { fieldAt } from '../../core/complete/fields.ts';
import { excerptOfValue } from '../../core/complete/evidence.ts';
import type { CheckedText } from '../../core/pipeline.ts';
import type { Cancel } from '../../core/ports.ts';
import { hasExternalContext, withContext } from '../../core/record/external.ts';
import { decodeString, offsetIn } from '../../core/text/offsets.ts';
import { cancelOf } from '../cancel.ts';
import { blockPreview, excerptLine } from './block-preview.ts';
import { keyItems, pythonItems, valueItems } from './completion-items.ts';
import type { ItemContext, ItemData } from './completion-items.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import { decodedOffset } from '../place.ts';
import type { Row } from '../session/rows.ts';
import type { ServerRuntime } from '../runtime.ts';
import type { Session } from '../session/session.ts';
import { inFile } from './spots.ts';
import type { SpotServices } from './spots.ts';
import { createUsedIn } from './used-in.ts';

export interface CompletionContext extends SpotServices {
  readonly log: Log;
  readonly runtime: Pick<ServerRuntime, 'readText' | 'documents'>;
  session(uri: string): Session | undefined;
  /** Items may hold places for the cursor. */
  snippets(): boolean;
}

/** Asked at once; what they open decides whether there is an answer. */
const TRIGGERS = ['"', ' ', '=', '(', '[', ','];

export const COMPLETION_CAPABILITIES = {
  completionProvider: { triggerCharacters: TRIGGERS, resolveProvider: true },
} as const;

export function registerCompletion(connection: Connection, context: CompletionContext): void {
  const { log } = context;
  const used = createUsedIn();
  const active = (uri: string): Session | undefined => {
    const session = context.session(uri);
    return session?.checker === undefined ? undefined : session;
  };

  connection.onCompletion(
    guarded<CompletionParams, CompletionList | null>('completion', log, null, async (params, token) => {
      const session = active(params.textDocument.uri);
      const row = session?.rowAt(params.position);
      if (session === undefined || row === undefined) return null;
      const typed =
        params.context?.triggerKind === CompletionTriggerKind.TriggerCharacter
          ? params.context.triggerCharacter
          : undefined;
      const { version } = session;
      const list = await completionAt(context, used, session, row, params.position, typed, cancelOf(token));
      return session.version !== version || list?.items.length === 0 ? null : list;
    }),
  );

  connection.onCompletionResolve(async (item, token) => {
    const resolve = guarded<CompletionItem, CompletionItem>('resolve completion', log, item, () => {
      const data = item.data as ItemData | undefined;
      const session = data && active(data.uri);
      const row = data && session?.row(data.index);
      return data === undefined || row === undefined ? item : resolved(item, data, row);
    });
    return resolve(item, token) as Promise<CompletionItem>;
  });
}

async function completionAt(
  services: CompletionContext,
  used: ReturnType<typeof createUsedIn>,
  session: Session,
  row: Row,
  position: Position,
  typed: string | undefined,
  cancel: Cancel,
): Promise<CompletionList | null> {
  const { checker } = session;
  const offset = offsetIn(row, { line: position.line, column: position.character });
  const place = offset === undefined ? undefined : writingPlace(row.text, offset);
  if (checker === undefined || offset === undefined || place === undefined) return null;
  const { profile } = checker.settings;
  const isSolution = place.kind === 'value' && place.isString && fieldAt(profile, place.path)?.field === 'solution';
  if (typed !== undefined && !opens(offset, place, typed, isSolution)) return null;
  const checked = readable(row.checked) ?? checker.checkText(repairedAt(row.text, place), row.outer);
  if (checked.record !== undefined && hasExternalContext(checked.record) && row.document === undefined) {
    await session.complete(row, cancel);
  }
  const record = checked.record && withContext(checked.record, row.document);
  const context: ItemContext = { session, row, checker, checked, record, place, snippets: services.snippets() };

  if (isSolution) {
    if (profile.fields.solution?.decoder !== undefined) return null;
    const source = decodeString(row.text.slice(place.token.start, place.token.end));
    const at = decodedOffset(row.text, place.token, offset);
    const python = pythonPlace(source, at);
    if (python === undefined || (typed !== undefined && !opensExpression(source, at, typed))) return null;
    return pythonItems(context, source, at, python);
  }
  const home = await inFile(services, { session, row });
  const file = home?.session ?? session;
  const isWhole = used.update(file);
  const uses = used.of(file);
  if (place.kind === 'key') return keyItems(context, uses, !isWhole);
  const list = await valueItems(context, uses, services.runtime.documents, cancel);
  return { items: list, isIncomplete: !isWhole };
}

function readable(checked: CheckedText | undefined): CheckedText | undefined {
  return checked?.record === undefined ? undefined : checked;
}

/** Whether a character that was typed begins something. In a text that is no solution only its quotation mark does. */
function opens(offset: number, { isString, token }: WritingPlace, typed: string, isSolution: boolean): boolean {
  if (!isString) return typed !== '=' && typed !== '(';
  return typed === '"' ? offset === token.start + 1 && !isSolution : isSolution;
}

function opensExpression(source: string, at: number, typed: string): boolean {
  return (
    typed !== ' ' || /(?:[-+*/%=(,[<>:]|\b(?:return|in|and|or|not|if|else|import|from)) $/.test(source.slice(0, at))
  );
}

function resolved(item: CompletionItem, { block, span }: ItemData, row: Row): CompletionItem {
  const record = row.checked?.record && withContext(row.checked.record, row.document);
  const text = record?.context?.[block];
  if (typeof text !== 'string') return item;
  const excerpt = span && excerptOfValue(text, span);
  const value = excerpt === undefined ? blockPreview(text) : excerptLine(excerpt);
  return { ...item, documentation: { kind: MarkupKind.Markdown, value } };
}
