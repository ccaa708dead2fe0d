/** The status of the file that the client shows without having a document of it (schemas/disk.ts). */
import type { StatusParams } from '../../../../schemas/protocol.ts';

export interface ShownFromDisk {
  /** null: none is shown. */
  show(uri: string | null): void;
  /** The status of a file that no editor has open. */
  told(params: StatusParams): void;
}

/** Files whose last status is kept. */
const KEPT = 16;

export function createShownFromDisk(send: (params: StatusParams) => void): ShownFromDisk {
  const last = new Map<string, StatusParams>();
  let shown: string | null = null;
  return {
    show(uri) {
      shown = uri;
      const known = uri === null ? undefined : last.get(uri);
      if (known !== undefined) send(known);
    },
    told(params) {
      last.delete(params.uri);
      last.set(params.uri, params);
      if (last.size > KEPT) last.delete(last.keys().next().value!);
      if (params.uri === shown) send(params);
    },
  };
}
