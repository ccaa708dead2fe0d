/** The file of accepted findings: read line by line, matched by fingerprint, looked over for what is no longer found. */
import type { AcceptedLine } from '../../../../schemas/acceptance.ts';
import type { RuleLevel } from '../../../../schemas/report.ts';
import type { Finding, Position } from '../finding.ts';
import { hashText } from '../hash.ts';
import type { AcceptanceCode } from '../rules/acceptance.ts';
import { levelOf, ruleOf } from '../rules/registry.ts';
import { spanOfPointer } from '../text/offsets.ts';

/** A line that can be used. */
export interface AcceptedEntry extends AcceptedLine {
  /** 0-based line of the file, and its length in UTF-16 units. */
  readonly line: number;
  readonly length: number;
}

export interface AcceptanceFault {
  readonly code: AcceptanceCode;
  readonly message: string;
  readonly start: Position;
  readonly end: Position;
  /** The fingerprint or text it is about: part of its own fingerprint. */
  readonly found: string;
}

export interface AcceptedList {
  readonly entries: readonly AcceptedEntry[];
  readonly faults: readonly AcceptanceFault[];
}

const TEXTS = ['file', 'code', 'pointer', 'by', 'at'] as const;

/** Reads the text of the file. Never fails: lines that cannot be used are faults, the others count. */
export function parseAccepted(text: string): AcceptedList {
  const entries: AcceptedEntry[] = [];
  const faults: AcceptanceFault[] = [];
  const seen = new Map<string, number>();
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  for (const [line, content] of lines.entries()) {
    if (content.trim() === '') continue;
    const report = (message: string, pointer = '', code: AcceptanceCode = 'config/invalid-acceptance'): void => {
      const span = (pointer === '' ? undefined : spanOfPointer(content, pointer)) ?? { start: 0, end: content.length };
      faults.push({
        code,
        message,
        start: { line, column: span.start },
        end: { line, column: span.end },
        found: content,
      });
    };
    const accepted = readLine(content, report);
    if (accepted === undefined) continue;
    const key = `${accepted.file ?? ''}\n${accepted.fingerprint}`;
    const before = seen.get(key);
    if (before !== undefined) {
      report(`Line ${before + 1} accepts the same finding; this line can go.`, '', 'config/stale-acceptance');
      continue;
    }
    seen.set(key, line);
    entries.push({ ...accepted, line, length: content.length });
  }
  return { entries, faults };
}

function readLine(content: string, report: (message: string, pointer?: string) => void): AcceptedLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    report('The line is not JSON. Each line is one object with "fingerprint" and "reason".');
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    report('The line is not an object. Each line is one object with "fingerprint" and "reason".');
    return undefined;
  }
  const read = value as Readonly<Record<string, unknown>>;
  const { fingerprint, reason } = read;
  if (fingerprint === undefined) {
    report('The line has no "fingerprint": it does not say which finding is accepted. Reports give it, as JSON.');
    return undefined;
  }
  if (typeof fingerprint !== 'string' || !/^[0-9a-f]{16}$/.test(fingerprint)) {
    report('The fingerprint is not one: it has 16 hexadecimal digits, as the reports give it.', '/fingerprint');
    return undefined;
  }
  if (typeof reason !== 'string' || reason.trim() === '') {
    const message = 'A finding is accepted with a reason: write under "reason" why it may stand.';
    report(message, reason === undefined ? '' : '/reason');
    return undefined;
  }
  for (const key of TEXTS) {
    if (read[key] !== undefined && typeof read[key] !== 'string') {
      report(`"${key}" is not text.`, `/${key}`);
      return undefined;
    }
  }
  return {
    ...optional(read, TEXTS),
    ...(typeof read['record'] === 'string' && { record: read['record'] }),
    fingerprint,
    reason,
  };
}

function optional(
  read: Readonly<Record<string, unknown>>,
  keys: readonly (typeof TEXTS)[number][],
): Partial<Record<(typeof TEXTS)[number], string>> {
  return Object.fromEntries(keys.flatMap((key) => (typeof read[key] === 'string' ? [[key, read[key]]] : [])));
}

/** The line for a finding, without its end. */
export function formatAccepted({ file, code, record, pointer, fingerprint, reason, by, at }: AcceptedLine): string {
  return JSON.stringify({ file, code, record, pointer, fingerprint, reason, by, at });
}

/** Fingerprints that are accepted in the record file of a name. */
export function acceptedIn({ entries }: AcceptedList, file: string): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => ((entry.file ?? file) === file ? [entry.fingerprint] : [])));
}

/** A record file that was looked at. */
export interface LookedAt {
  /** Fingerprints of everything that was found in it. */
  readonly found: ReadonlySet<string>;
  /** Whether the rule had all that it needs, so that what it did not find is not there. undefined: any rule. */
  whole(code: string | undefined): boolean;
}

/** The lines whose finding is gone. `files`: all record files beside the list, by name; undefined: not looked at. */
export function staleAcceptances(
  { entries }: AcceptedList,
  files: ReadonlyMap<string, LookedAt | undefined>,
): AcceptanceFault[] {
  return entries.flatMap((entry) => {
    const message = staleness(entry, files);
    if (message === undefined) return [];
    const { line, length, fingerprint } = entry;
    const code = 'config/stale-acceptance';
    return { code, message, start: { line, column: 0 }, end: { line, column: length }, found: fingerprint };
  });
}

function staleness(entry: AcceptedEntry, files: ReadonlyMap<string, LookedAt | undefined>): string | undefined {
  const { code, file, fingerprint } = entry;
  if (file !== undefined && !files.has(file)) return `There is no ${file} beside this file; the line can go.`;
  const concerned = file === undefined ? [...files.values()] : [files.get(file)];
  for (const one of concerned) {
    if (one === undefined || one.found.has(fingerprint)) return undefined;
    if (!one.whole(code) && (code === undefined || ruleOf(code) !== undefined)) return undefined;
  }
  const where = file ?? 'any record file beside it';
  const about = code === undefined ? 'finding' : `finding ${code}`;
  return `The accepted ${about} is not found in ${where} any more; the line can go.`;
}

/** The faults as findings of the file. */
export function acceptanceFindings(
  faults: readonly AcceptanceFault[],
  levels: Readonly<Record<string, RuleLevel>>,
): Finding[] {
  return faults.flatMap(({ code, message, start, end, found }) => {
    const severity = levelOf(code, levels);
    if (severity === 'off') return [];
    const fingerprint = hashText(code, '', '', found);
    return { code, severity, message, record: null, pointer: '', start, end, fingerprint, fixes: [], related: [] };
  });
}
