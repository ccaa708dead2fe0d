/** Leaves out what is not to be reported: records that have not changed, accepted findings, findings of a baseline. */
import path from 'node:path';
import { acceptanceFindings, acceptedIn, staleAcceptances } from '../core/acceptance/accepted.ts';
import type { LookedAt } from '../core/acceptance/accepted.ts';
import { knownIn } from '../core/acceptance/baseline.ts';
import type { KnownFindings } from '../core/acceptance/baseline.ts';
import type { ChangedLines } from '../core/acceptance/changed-lines.ts';
import type { Finding } from '../core/finding.ts';
import type { RecordSlot } from '../core/text/types.ts';
import type { RuleLevel } from '../../../schemas/report.ts';
import { createAcceptedFiles, nameInBaseline, readBaseline } from '../node/acceptance.ts';
import type { AcceptedFile } from '../node/acceptance.ts';
import { createChangedFiles, GitProblem } from '../node/changed-lines.ts';
import type { ChangedFiles } from '../node/changed-lines.ts';
import type { CheckOptions } from './job.ts';
import type { Totals } from './report.ts';
import { UsageError } from './usage.ts';

/** For one file. */
export interface Sieve {
  /** Which elements of the file are looked at; absent: all. */
  readonly wanted?: (element: RecordSlot) => boolean;
  /** Those that are to be reported. */
  keep(findings: readonly Finding[]): readonly Finding[];
  /** The file is done: `whole` tells of which rules everything was found that there is. */
  done(whole: LookedAt['whole'], rules: Readonly<Record<string, RuleLevel>>): void;
}

export interface Sieves {
  /** `file` is absolute; it may be the file of accepted findings itself. */
  open(file: string): Promise<Sieve>;
  /** For a file that holds no records. */
  ofConfiguration(file: string): (findings: readonly Finding[]) => readonly Finding[];
  /** Findings of the files of accepted findings themselves, by path. */
  end(): Promise<readonly { readonly path: string; readonly findings: readonly Finding[] }[]>;
}

/** What is known of a file of accepted findings. */
interface Beside {
  readonly accepted: AcceptedFile;
  readonly looked: Map<string, LookedAt>;
  rules: Readonly<Record<string, RuleLevel>>;
}

/** Rejects with a usage error where the baseline cannot be read. */
export async function createSieves(
  { baseline, changedSince, rule, shard }: Pick<CheckOptions, 'baseline' | 'changedSince' | 'rule' | 'shard'>,
  cwd: string,
  { summary }: Totals,
): Promise<Sieves> {
  const files = createAcceptedFiles();
  const besides = new Map<string, Beside>();
  const baselinePath = baseline === undefined ? undefined : path.resolve(cwd, baseline);
  const known = baselinePath === undefined ? undefined : await loadBaseline(baseline ?? '', baselinePath);
  if (known !== undefined) summary.known = 0;
  const changes = changedSince === undefined ? undefined : createChangedFiles(changedSince);

  async function besideOf(file: string): Promise<Beside | undefined> {
    // What is accepted is left out when the shards are put together.
    const accepted = shard === undefined ? await files.beside(file) : undefined;
    if (accepted === undefined) return undefined;
    let beside = besides.get(accepted.path);
    if (beside === undefined) {
      beside = { accepted, looked: new Map(), rules: rule };
      besides.set(accepted.path, beside);
      summary.accepted ??= 0;
    }
    return beside;
  }

  function knownOf(file: string): (finding: Finding) => boolean {
    if (known === undefined || baselinePath === undefined) return () => false;
    const isKnown = knownIn(known, nameInBaseline(file, baselinePath));
    return ({ fingerprint }) => {
      if (!isKnown(fingerprint)) return false;
      summary.known = (summary.known ?? 0) + 1;
      return true;
    };
  }

  return {
    async open(file) {
      const beside = await besideOf(file);
      const accepted = beside && acceptedIn(beside.accepted.list, path.basename(file));
      const lines = changes && (await linesOf(changes, file));
      const isKnown = knownOf(file);
      const found = new Set<string>();
      return {
        ...(lines && { wanted: (element: RecordSlot) => touchesElement(lines, element) }),
        keep: (findings) =>
          findings.filter((finding) => {
            const { fingerprint, record, start, end } = finding;
            if (record === null && lines !== undefined && !lines.touches(start.line, end.line)) return false;
            if (accepted?.has(fingerprint) === true) {
              found.add(fingerprint);
              summary.accepted = (summary.accepted ?? 0) + 1;
              return false;
            }
            return !isKnown(finding);
          }),
        done(whole, rules) {
          if (beside === undefined) return;
          beside.looked.set(path.basename(file), { found, whole: (code) => lines === undefined && whole(code) });
          beside.rules = rules;
        },
      };
    },
    ofConfiguration(file) {
      const isKnown = knownOf(file);
      return (findings) => findings.filter((finding) => !isKnown(finding));
    },
    async end() {
      const ends: { path: string; findings: readonly Finding[] }[] = [];
      for (const { accepted, looked, rules } of besides.values()) {
        const names = await files.recordFiles(accepted.path);
        const beside = new Map(names.map((name) => [name, looked.get(name)]));
        const faults = [...accepted.list.faults, ...staleAcceptances(accepted.list, beside)];
        const isKnown = knownOf(accepted.path);
        const findings = acceptanceFindings(faults, rules).filter((finding) => !isKnown(finding));
        if (findings.length > 0) ends.push({ path: accepted.path, findings });
      }
      return ends;
    },
  };
}

async function loadBaseline(given: string, at: string): Promise<KnownFindings> {
  const known = await readBaseline(at);
  if (typeof known === 'string') throw new UsageError(`The baseline ${given} ${known}.`);
  return known;
}

async function linesOf(changes: ChangedFiles, file: string): Promise<ChangedLines> {
  try {
    return await changes.linesOf(file);
  } catch (error) {
    if (error instanceof GitProblem) throw new UsageError(error.message);
    throw error;
  }
}

function touchesElement(lines: ChangedLines, { line, text }: RecordSlot): boolean {
  let last = line;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) last++;
  return lines.touches(line, last);
}
