import type { WriteStream } from 'node:tty';

/** A stream that waits where its reader is slow and takes nothing more where its reader has gone (`| head`). */
export interface Output {
  write(text: string | Uint8Array): Promise<void>;
  /** Aborted once the reader is gone, or nothing more can be written. */
  readonly closed: AbortSignal;
  readonly colors: boolean;
}

/** One of the streams of the process. */
export interface StandardOutput extends Output {
  /** Why nothing more could be written, such as a full disk; a reader that has gone is no failure. */
  readonly failure: Error | undefined;
}

export function createOutput(stream: NodeJS.WriteStream, environment: NodeJS.ProcessEnv): StandardOutput {
  const closing = new AbortController();
  let failure: Error | undefined;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') failure ??= error;
    closing.abort();
  });
  return {
    closed: closing.signal,
    get failure() {
      return failure;
    },
    colors: hasColors(stream, environment),
    write(text) {
      if (closing.signal.aborted || text === '') return Promise.resolve();
      return new Promise((done) => {
        // The callback also comes where the write fails; the error event above has then told why.
        stream.write(text, () => done());
      });
    },
  };
}

/** https://no-color.org: any value but the empty one turns colours off. */
function hasColors(stream: NodeJS.WriteStream | WriteStream, environment: NodeJS.ProcessEnv): boolean {
  const refused = environment['NO_COLOR'];
  return stream.isTTY === true && (refused === undefined || refused === '') && environment['TERM'] !== 'dumb';
}

const ESCAPES = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;
export type Style = keyof typeof ESCAPES;
export type Paint = (style: Style, text: string) => string;

export function createPaint(colors: boolean): Paint {
  return colors ? (style, text) => `\u001b[${ESCAPES[style]}m${text}\u001b[0m` : (_, text) => text;
}

/** Text from a data file for one line of a terminal: line breaks and control characters are shown, not obeyed. */
export function oneLine(text: string): string {
  return text.replace(/\p{Cc}|[\u2028\u2029\u202A-\u202E\u2066-\u2069]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\t') return '\\t';
    return `\\u${character.codePointAt(0)!.toString(16).padStart(4, '0')}`;
  });
}

/** A lone half of a surrogate pair cannot be written as UTF-8; it is shown as a replacement character. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '\uFFFD');
}
