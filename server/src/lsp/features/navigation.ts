/** Definition, references, links, outline, folding, selection and symbols: alike for files and for documents that show one record. */
import type {
  Connection,
  DefinitionParams,
  DocumentLink,
  DocumentLinkParams,
  DocumentSymbol,
  DocumentSymbolParams,
  FoldingRange,
  FoldingRangeParams,
  Location,
  LocationLink,
  Position,
  ReferenceParams,
  SelectionRange,
  SelectionRangeParams,
  SymbolInformation,
  WorkspaceSymbolParams,
} from 'vscode-languageserver/node';
import { cancelOf } from '../cancel.ts';
import { definitionAt } from './definition.ts';
import type { DefinitionServices } from './definition.ts';
import { documentLinks, isLinked } from './document-links.ts';
import { foldingRanges } from './folding.ts';
import { guarded } from '../guard.ts';
import type { Log } from '../guard.ts';
import type { OutlineRefresh } from './outline-refresh.ts';
import type { RecordNames } from './record-names.ts';
import { referencesAt } from './references.ts';
import type { Session } from '../session/session.ts';
import { selectionRanges } from './selection.ts';
import type { Subject } from './spots.ts';
import { documentSymbols, flattened } from './symbols.ts';
import { workspaceSymbols } from './workspace-symbols.ts';

export interface NavigationClient {
  /** Definitions may say what they are about (LocationLink). */
  readonly links: boolean;
  /** Document symbols may be trees. */
  readonly trees: boolean;
  /** Links may be commands. */
  readonly commands: boolean;
  readonly foldingLimit: number | undefined;
}

export interface NavigationContext extends Omit<DefinitionServices, 'hasLinks'> {
  readonly log: Log;
  session(uri: string): Session | undefined;
  sessions(): Iterable<Session>;
  readonly names: RecordNames;
  readonly outline: OutlineRefresh;
  client(): NavigationClient;
}

export const NAVIGATION_CAPABILITIES = {
  definitionProvider: true,
  referencesProvider: true,
  documentLinkProvider: {},
  foldingRangeProvider: true,
  selectionRangeProvider: true,
  workspaceSymbolProvider: true,
} as const;

export function registerNavigation(connection: Connection, context: NavigationContext): void {
  const { log } = context;
  /** A session that a profile fits; editors ask as soon as a document opens, and not again. */
  const active = async (uri: string): Promise<Session | undefined> => {
    const session = context.session(uri);
    await session?.settled();
    return session?.checker === undefined ? undefined : session;
  };

  connection.onDefinition(
    guarded<DefinitionParams, LocationLink[] | Location[] | null>('definition', log, null, async (params, token) => {
      const session = await active(params.textDocument.uri);
      const row = isPosition(params.position) ? session?.rowAt(params.position) : undefined;
      if (session === undefined || row === undefined) return null;
      const { commands, links } = context.client();
      const services = { ...context, hasLinks: (subject: Subject) => commands && isLinked(subject.row) };
      const found = await definitionAt(services, { session, row }, params.position, cancelOf(token));
      if (found === null || links) return found;
      return found.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
    }),
  );

  connection.onReferences(
    guarded<ReferenceParams, Location[] | null>('references', log, null, async (params, token) => {
      const session = await active(params.textDocument.uri);
      if (session === undefined || !isPosition(params.position)) return null;
      const { includeDeclaration } = params.context;
      const found = await referencesAt(context, session, params.position, includeDeclaration, cancelOf(token));
      return found === null ? null : [...found];
    }),
  );

  connection.onDocumentLinks(
    guarded<DocumentLinkParams, DocumentLink[] | null>(
      'documentLink',
      log,
      null,
      async ({ textDocument: { uri } }, token) => {
        const session = await active(uri);
        const { commands } = context.client();
        return session === undefined ? null : documentLinks(session, { ...context, commands }, cancelOf(token));
      },
    ),
  );

  connection.onDocumentSymbol(
    guarded<DocumentSymbolParams, DocumentSymbol[] | SymbolInformation[] | null>(
      'documentSymbol',
      log,
      null,
      async ({ textDocument: { uri } }, token) => {
        context.outline.asked(uri);
        const session = await active(uri);
        const symbols = session === undefined ? null : await documentSymbols(session, cancelOf(token));
        return symbols === null || context.client().trees ? symbols : flattened(symbols, uri);
      },
    ),
  );

  connection.onFoldingRanges(
    guarded<FoldingRangeParams, FoldingRange[] | null>('foldingRange', log, null, async ({ textDocument: { uri } }) => {
      const session = await active(uri);
      return session === undefined ? null : foldingRanges(session, context.client().foldingLimit);
    }),
  );

  connection.onSelectionRanges(
    guarded<SelectionRangeParams, SelectionRange[] | null>('selectionRange', log, null, async (params) => {
      const session = await active(params.textDocument.uri);
      return session === undefined || !params.positions.every(isPosition)
        ? null
        : selectionRanges(session, params.positions);
    }),
  );

  connection.onWorkspaceSymbol(
    guarded<WorkspaceSymbolParams, SymbolInformation[]>('workspace symbols', log, [], ({ query }, token) =>
      workspaceSymbols(query, context, cancelOf(token)),
    ),
  );
}

function isPosition(position: Position): boolean {
  const isCount = (value: unknown): boolean => typeof value === 'number' && Number.isInteger(value) && value >= 0;
  return isCount(position?.line) && isCount(position.character);
}
