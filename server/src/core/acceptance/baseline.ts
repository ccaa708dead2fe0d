/** A baseline: what was known when it was written. One finding a line, sorted, so that its changes read well in git. */
import type { Baseline, BaselineFinding } from '../../../../schemas/acceptance.ts';

const KEYS = ['file', 'record', 'pointer', 'code', 'fingerprint'] as const;

export function formatBaseline(findings: readonly BaselineFinding[]): string {
  const lines = findings
    .toSorted(byKeys)
    .map(({ file, code, record, pointer, fingerprint }) =>
      JSON.stringify({ file, code, record, pointer, fingerprint }),
    );
  const version = 1 satisfies Baseline['version'];
  return `{"version":${version},"findings":[${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n`}]}\n`;
}

/** In code units, so that the order is the same everywhere. */
function byKeys(a: BaselineFinding, b: BaselineFinding): number {
  for (const key of KEYS) {
    const [one, other] = [a[key] ?? '', b[key] ?? ''];
    if (one !== other) return one < other ? -1 : 1;
  }
  return 0;
}

/** How often each finding is known, by file and fingerprint. */
export type KnownFindings = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** Reads a baseline; text: why it is none, to stand after its name. */
export function parseBaseline(text: string): KnownFindings | string {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return `is not JSON (${error instanceof Error ? error.message : String(error)})`;
  }
  const { version, findings } = (value ?? {}) as { version?: unknown; findings?: unknown };
  if (!Array.isArray(findings)) return 'is no baseline: it has no list of findings';
  if (version !== 1) return `is a baseline of version ${String(version)}; only version 1 can be read`;
  const known = new Map<string, Map<string, number>>();
  for (const [i, finding] of findings.entries()) {
    const { file, fingerprint } = (finding ?? {}) as { file?: unknown; fingerprint?: unknown };
    if (typeof file !== 'string' || typeof fingerprint !== 'string') {
      return `is no baseline: finding ${i + 1} names no file or no fingerprint`;
    }
    let ofFile = known.get(file);
    if (ofFile === undefined) known.set(file, (ofFile = new Map<string, number>()));
    ofFile.set(fingerprint, (ofFile.get(fingerprint) ?? 0) + 1);
  }
  return known;
}

/** Tells for each finding of one file whether it is known; as often as the baseline has it, not more. */
export function knownIn(known: KnownFindings, file: string): (fingerprint: string) => boolean {
  const left = new Map(known.get(file));
  return (fingerprint) => {
    const count = left.get(fingerprint) ?? 0;
    if (count > 0) left.set(fingerprint, count - 1);
    return count > 0;
  };
}
