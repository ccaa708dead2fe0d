import type { Verdict } from '../../../../schemas/report.ts';
import { keyOf, keyNumberOf } from '../../core/checker.ts';
import type { Finding, LocalFinding } from '../../core/finding.ts';
import { floodKey } from '../../core/floods.ts';
import { factsOf } from '../../core/list/summary.ts';
import type { RecordFacts } from '../../core/list/summary.ts';
import type { CheckedText } from '../../core/pipeline.ts';
import type { DocumentFacts, RunResult } from '../../core/ports.ts';
import type { RecordSlot } from '../../core/text/types.ts';
import type { CancelSource } from '../cancel.ts';
import type { Brief, FoundBrief, Row } from './rows.ts';

/** Where rows of a large file have from what they do not keep. */
export interface LargeSource {
  /** Throws where the record is not on disk any more as it was indexed. */
  textOf(row: LargeRow): string;
  outerOf(row: LargeRow): RecordSlot['outer'];
  lineOf(row: LargeRow): number;
  columnOf(row: LargeRow): number;
  offsetOf(row: LargeRow): number;
  /** Checked (anew), if it is not at hand. */
  checkedOf(row: LargeRow): CheckedText | undefined;
  /** The same of its findings. */
  findingsOf(row: LargeRow): readonly Finding[];
  keepChecked(row: LargeRow, checked: CheckedText): void;
  keepFindings(row: LargeRow, findings: readonly Finding[]): void;
  forget(row: LargeRow): void;
}

/**
 * A record of a file that is too large for memory: text, `checked` and findings are had from the disk when they are asked for,
 * and what all records are asked for is kept. A class, since tens of thousands of them share what is computed.
 */
export class LargeRow implements Row {
  index: number;
  brief: Brief | undefined = undefined;
  found: readonly FoundBrief[] | undefined = undefined;
  run: RunResult | undefined = undefined;
  document: DocumentFacts | undefined = undefined;
  pageFindings: readonly LocalFinding[] | undefined = undefined;
  laidLine = 0;
  laidIndex = 0;
  ordinal = 0;
  passed = false;
  /** What rules across the file read of it (`RecordItems` as JSON); undefined: to be read (anew). */
  items: string | undefined = undefined;
  /** Of the solution, as it was when findings were laid. */
  verdict: Verdict | null = null;
  since = 0;
  gone = false;
  until: number | undefined = undefined;
  successor: Row | undefined = undefined;
  cancel: CancelSource | undefined = undefined;
  /** Where it was when it went. */
  last: { readonly line: number; readonly column: number; readonly offset: number } | undefined = undefined;
  readonly #source: LargeSource;

  constructor(index: number, source: LargeSource) {
    this.index = index;
    this.#source = source;
  }

  get text(): string {
    return this.#source.textOf(this);
  }

  get outer(): NonNullable<RecordSlot['outer']> {
    // A row has the member whether or not the record is nested; whoever asks takes undefined for "not nested".
    return this.#source.outerOf(this) as NonNullable<RecordSlot['outer']>;
  }

  get line(): number {
    return this.last?.line ?? this.#source.lineOf(this);
  }

  get column(): number {
    return this.last?.column ?? this.#source.columnOf(this);
  }

  get offset(): number {
    return this.last?.offset ?? this.#source.offsetOf(this);
  }

  get checked(): CheckedText | undefined {
    return this.brief === undefined ? undefined : this.#source.checkedOf(this);
  }

  set checked(checked: CheckedText | undefined) {
    this.brief = checked && briefOf(checked);
    this.items = undefined;
    if (checked === undefined) this.#source.forget(this);
    else this.#source.keepChecked(this, checked);
  }

  get findings(): readonly Finding[] | undefined {
    return this.found === undefined ? undefined : this.#source.findingsOf(this);
  }

  set findings(findings: readonly Finding[] | undefined) {
    this.found = findings?.map(briefOfFinding);
    if (findings !== undefined) this.#source.keepFindings(this, findings);
  }

  /** It is not in the file any more; where it was is kept. */
  leave(): void {
    const { line, column, offset } = this;
    this.last = { line, column, offset };
  }
}

/** So much of the question is searched in lists of large files, and so much of the answer. */
const QUESTION = 600;
const ANSWER = 200;

function briefOf(checked: CheckedText): Brief {
  const { record, solution } = checked;
  const facts = record && detached(shortened(factsOf(record)));
  return {
    isRecord: record !== undefined,
    ordinalKey: keyNumberOf(checked),
    key: detached(keyOf(checked)),
    facts,
    solution: solution !== undefined ? 'python' : record?.program !== undefined ? 'program' : undefined,
    runnable: solution?.runnable === true,
    hasDocument: record?.document !== undefined,
    boxes: (record?.boxes?.length ?? 0) + (record?.relativeBoxes?.length ?? 0),
  };
}

function shortened(facts: RecordFacts): RecordFacts {
  return { ...facts, question: facts.question?.slice(0, QUESTION) ?? null, answer: facts.answer.slice(0, ANSWER) };
}

export function briefOfFinding(finding: Finding): FoundBrief {
  const { code, severity, fingerprint } = finding;
  const flood = floodKey(finding);
  return { code, severity, fingerprint, flood: flood === undefined ? undefined : detached(flood) };
}

/** A copy that keeps no piece of the record's text: a piece keeps the whole text in memory. */
export function detached<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}
