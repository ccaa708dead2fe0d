import { SingleBar } from 'cli-progress';

/** A progress bar over bytes read; draws on a terminal only. */
export interface Progress {
  advance(bytes: number): void;
  file(shown: string): void;
  /** Takes the bar off the screen, so that other text can be written; the next `advance` draws it again. */
  pause(): void;
}

export function createProgress(stream: NodeJS.WriteStream, totalBytes: number): Progress {
  if (stream.isTTY !== true || totalBytes === 0) {
    return { advance: () => undefined, file: () => undefined, pause: () => undefined };
  }
  const bar = new SingleBar({
    format: '{bar} {percentage}% {file}',
    stream,
    clearOnComplete: true,
    hideCursor: true,
    barsize: 30,
    barCompleteString: '█',
    barIncompleteString: '░',
    barCompleteChar: '█',
    barIncompleteChar: '░',
    // Ctrl-C is the command's own business.
    gracefulExit: false,
  });
  let done = 0;
  let running = false;
  let file = '';
  return {
    advance(bytes) {
      done += bytes;
      if (!running) bar.start(totalBytes, Math.min(done, totalBytes), { file });
      else bar.update(Math.min(done, totalBytes), { file });
      running = true;
    },
    file(shown) {
      file = shown.length > 40 ? `…${shown.slice(-39)}` : shown;
    },
    pause() {
      if (running) bar.stop();
      running = false;
    },
  };
}
