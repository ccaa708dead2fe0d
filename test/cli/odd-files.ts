import { RULES } from '../../server/src/core/rules/registry.ts';
import { docmath } from './run.ts';

/** Rules whose findings the snapshots show: an error, a warning with a related place, an info, and one about the file. */
const SHOWN: readonly string[] = [
  'answer/number-as-text',
  'evidence/duplicate-index',
  'schema/unknown-key',
  'file/blank-line',
];

/** The other rules are off, so that a new one does not change what is shown here. */
const CONFIGURATION = JSON.stringify({
  datasets: [
    {
      files: ['**/*.jsonl'],
      profile: 'docmath-eval',
      rules: Object.fromEntries(RULES.filter(({ code }) => !SHOWN.includes(code)).map(({ code }) => [code, 'off'])),
    },
  ],
});

/** A name that each format has to escape in its own way. */
export const ODD_NAME = `odd %,;:&<'" ü😀.jsonl`;

/** Ids and values with what formats trip over: their own marks, line ends, control and unpaired characters. */
export const ODD_RECORDS: readonly string[] = [
  docmath('::error::x%0A,y ]]> <b>&amp;</b> "q" {0} [a](b)', { ground_truth: '1,200' }),
  docmath('line\nbreak\r\u0007\u2028\ud800', { paragraph_evidence: [0, 0], ground_truth: '12' }),
  docmath('😀 astral', { 'note😀': 1 }),
];

export const ODD_FILES: Readonly<Record<string, string>> = {
  'auditable-qa.json': CONFIGURATION,
  [ODD_NAME]: `${ODD_RECORDS.join('\n')}\n\n`,
  'sub/sound.jsonl': `${docmath('a')}\n`,
};
