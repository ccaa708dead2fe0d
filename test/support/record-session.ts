/** A session of the language server over lines at hand: no file, no editor, no process. Nothing is run, no document is read. */
import type { StatusParams } from '../../schemas/protocol.ts';
import { DEFAULT_SETTINGS } from '../../schemas/protocol.ts';
import { settingsFor } from '../../server/src/core/profile/settings.ts';
import { createRunCache } from '../../server/src/lsp/runtime.ts';
import type { ServerRuntime } from '../../server/src/lsp/runtime.ts';
import type { Session, SessionHost } from '../../server/src/lsp/session/session.ts';
import { createSession } from '../../server/src/lsp/session/session.ts';
import { createTable } from '../../server/src/lsp/session/table.ts';

export interface SessionOfLines {
  readonly session: Session;
  /** Settled when every record was checked. */
  readonly checked: Promise<void>;
}

/** `looked`: hears every status of the session. */
export async function sessionOfLines(
  path: string,
  lines: readonly string[],
  looked: (status: StatusParams) => void = () => undefined,
): Promise<SessionOfLines> {
  let done: () => void = () => undefined;
  const checked = new Promise<void>((resolve) => (done = resolve));
  const host = quietHost((status) => {
    looked(status);
    if (session.rows().every(({ checked: text, findings }) => text !== undefined && findings !== undefined)) done();
  });
  const table = createTable(`${lines.join('\n')}\n`, 1, 'lines');
  const session = createSession({ uri: `file://${path}`, path, form: 'lines', table }, host);
  await session.reload();
  return { session, checked };
}

/** What sessions need of a server that runs nothing, reads no document and publishes nothing. */
export function quietHost(status: (status: StatusParams) => void): SessionHost {
  const none = (): undefined => undefined;
  const runtime: Partial<ServerRuntime> = {
    settingsOf: (file, samples, overrides) => Promise.resolve(settingsFor({ filePath: file, samples, overrides })),
    fileFaults: () => Promise.resolve([]),
    documents: { read: () => new Promise(() => undefined), dispose: () => Promise.resolve() },
    runner: { run: () => new Promise(() => undefined), dispose: () => Promise.resolve() },
  };
  return {
    runtime: runtime as ServerRuntime,
    runs: createRunCache(),
    log: (line) => console.error(line),
    crashed: none,
    mayRun: () => false,
    ready: () => Promise.resolve(),
    settings: () => DEFAULT_SETTINGS,
    overrides: () => ({ rules: {} }),
    publish: none,
    status,
    lensesChanged: none,
    acceptances: { of: () => Promise.resolve(new Set()), looked: none, closed: none },
    datasets: { join: none, leave: none, typed: none },
    diagnostics: { rulePage: none, related: false, links: false },
  };
}
