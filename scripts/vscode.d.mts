/** Version of the VS Code in use, without the patch: `1.139`. */
export const vscodeVersion: string;

/** The folder of a ready-to-run VS Code, prepared on the first call. */
export function ensureVSCode(): Promise<string>;

export function installExtension(options: {
  readonly vsix: string;
  readonly extensionsDir: string;
  readonly dataDir: string;
}): Promise<void>;

/** Settings for a VS Code that shows this extension only. */
export const quietSettings: Readonly<Record<string, unknown>>;

export interface VSCodeServer {
  /** `http://127.0.0.1:PORT`. */
  readonly address: string;
  /** Settled with the exit code when the server is gone. */
  readonly ended: Promise<number | null>;
  stop(): Promise<void>;
}

export function startServer(options: {
  readonly dataDir: string;
  readonly extensionsDir: string;
  readonly settings?: Readonly<Record<string, unknown>>;
  /** 0: any free one. */
  readonly port?: number;
  readonly token?: string;
  readonly flags?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly onLine?: (line: string) => void;
}): Promise<VSCodeServer>;
