/** A record for every repair that rules offer, with the facts that its rule needs. */
import type { RunResult } from '../../../server/src/core/ports.ts';
import { RULES } from '../../../server/src/core/rules/registry.ts';
import { analyseSolution } from '../../../server/src/core/solution/analyse.ts';
import { check, DOCMATH, documentOf, fails, SCIEGQA, settingsOf, yields } from '../rules/support.ts';
import type { Found, JsonRecord } from '../rules/support.ts';

export interface Faulty {
  readonly name: string;
  readonly profile: string;
  readonly record: JsonRecord;
  readonly run?: RunResult;
  readonly code: string;
  /** Title of the fix that is meant, and what it changes in the record. */
  readonly title: RegExp;
  readonly repaired: JsonRecord;
  readonly safe: boolean;
}

const SOLUTION = String(DOCMATH['python_solution']);

function docmath(
  name: string,
  code: string,
  patch: JsonRecord,
  title: RegExp,
  repaired: JsonRecord,
  more: { readonly run?: RunResult; readonly safe?: true } = {},
): Faulty {
  const safe = more.safe === true;
  return { name, profile: 'docmath-eval', record: { ...DOCMATH, ...patch }, code, title, repaired, ...more, safe };
}

function sciegqa(
  name: string,
  code: string,
  patch: JsonRecord,
  title: RegExp,
  repaired: JsonRecord,
  safe = false,
): Faulty {
  return { name, profile: 'sciegqa', record: { ...SCIEGQA, ...patch }, code, title, repaired, safe };
}

function returning(expression: string): string {
  return SOLUTION.replace('r2032 - r2031', expression);
}

const IN_TEXT: Faulty = {
  name: 'page twice in a list that is text',
  profile: 'mmlongbench-doc',
  record: {
    doc_id: 'paper.pdf',
    doc_type: 'Report',
    question: 'How many parcels did North handle?',
    answer: '2550',
    evidence_pages: '[2, 3, 2]',
    evidence_sources: "['Table']",
    answer_format: 'Int',
  },
  code: 'page/duplicate',
  title: /^Remove the repeated 2$/,
  repaired: { evidence_pages: '[2, 3]' },
  safe: false,
};

const TWO_PAGES = {
  evidence_page: [2, 3],
  bbox: [[[300, 600, 2100, 1500]], [[300, 300, 900, 900]]],
  rel_bbox: undefined,
  subimg_type: [['table'], ['text']],
};

export const FAULTY: readonly Faulty[] = [
  IN_TEXT,
  docmath(
    'number as text',
    'answer/number-as-text',
    { ground_truth: '150.0' },
    /^Write the number 150\.0$/,
    { ground_truth: 150 },
    { safe: true },
  ),
  docmath(
    'typographic minus',
    'answer/number-as-text',
    { ground_truth: '\u2212150' },
    /^Write the number -150$/,
    { ground_truth: -150 },
    { safe: true },
  ),
  docmath('separators', 'answer/number-as-text', { ground_truth: '(1,150)' }, /^Write the number -1150$/, {
    ground_truth: -1150,
  }),
  docmath(
    'executed value',
    'answer/mismatch',
    { ground_truth: 151 },
    /^Store the executed value 150 /,
    { ground_truth: 150 },
    { run: yields('150') },
  ),
  docmath(
    'swapped difference',
    'answer/mismatch',
    { python_solution: returning('r2031 - r2032') },
    /^Swap the operands: r2032 - r2031$/,
    {},
    { run: yields('-150') },
  ),
  docmath(
    'swapped quotient',
    'answer/mismatch',
    { python_solution: returning('r2031 / (r2032 + 1)'), ground_truth: 1.125833333333333 },
    /^Swap the operands: \(r2032 \+ 1\) \/ r2031$/,
    { python_solution: returning('(r2032 + 1) / r2031') },
    { run: yields('0.8882309400444115') },
  ),
  docmath(
    'sign',
    'answer/mismatch',
    { ground_truth: -2550, python_solution: returning('r2032 + r2031') },
    /^Negate the result$/,
    { python_solution: returning('-(r2032 + r2031)') },
    { run: yields('2550') },
  ),
  docmath(
    'percent',
    'answer/mismatch',
    { ground_truth: 12.5, python_solution: returning('(r2032 - r2031) / r2031') },
    /^Multiply the result by 100$/,
    { python_solution: returning('((r2032 - r2031) / r2031) * 100') },
    { run: yields('0.125') },
  ),
  docmath(
    'thousands',
    'answer/mismatch',
    { ground_truth: 0.15 },
    /^Divide the result by 1000$/,
    { python_solution: returning('(r2032 - r2031) / 1000') },
    { run: yields('150') },
  ),
  docmath(
    'rounding',
    'answer/rounded',
    { ground_truth: 0.043, python_solution: returning('r2031 / 27994') },
    /^Round in the solution: round\(r2031 \/ 27994, 3\)$/,
    { python_solution: returning('round(r2031 / 27994, 3)') },
    { run: yields('0.04286632849896407') },
  ),
  docmath(
    'fence',
    'solution/code-fence',
    { python_solution: `\`\`\`python\n${SOLUTION}\n\`\`\`\n` },
    /^Remove the fence$/,
    { python_solution: SOLUTION },
    { safe: true },
  ),
  docmath(
    'fence with prose',
    'solution/code-fence',
    { python_solution: `Here it is:\n\`\`\`\n${SOLUTION}\n\`\`\`` },
    /^Keep only the code/,
    { python_solution: SOLUTION },
  ),
  docmath(
    'double escape',
    'solution/double-escaped',
    { python_solution: SOLUTION.replaceAll('\n', '\\n') },
    /^Decode the solution once more$/,
    { python_solution: SOLUTION },
    { safe: true },
  ),
  docmath(
    'print',
    'solution/not-a-number',
    { python_solution: SOLUTION.replace('return r2032 - r2031', 'print(r2032 - r2031)') },
    /^Return it instead: return r2032 - r2031$/,
    { python_solution: SOLUTION },
    { run: fails({ kind: 'badReturn', type: 'NoneType', message: 'None' }, '150\n') },
  ),
  docmath('index twice', 'evidence/duplicate-index', { paragraph_evidence: [0, 2, 0] }, /^Remove the repeated 0$/, {
    paragraph_evidence: [0, 2],
  }),
  docmath(
    'table among text',
    'evidence/kind-mismatch',
    { table_evidence: [], paragraph_evidence: [0, 1, 2] },
    /^Move 1 to table_evidence$/,
    { table_evidence: [1], paragraph_evidence: [0, 2] },
  ),
  docmath(
    'text among tables',
    'evidence/kind-mismatch',
    { table_evidence: [1, 0], paragraph_evidence: [2] },
    /^Move 0 to paragraph_evidence$/,
    { table_evidence: [1], paragraph_evidence: [0, 2] },
  ),
  docmath(
    'index as text',
    'schema/type',
    { table_evidence: ['1'] },
    /^Write the number 1$/,
    { table_evidence: [1] },
    { safe: true },
  ),
  docmath(
    'unknown key',
    'schema/unknown-key',
    { paragraph_evidence: undefined, paragraph_evidance: [0] },
    /^Rename to paragraph_evidence$/,
    { paragraph_evidence: [0], paragraph_evidance: undefined },
  ),
  docmath('no-break space', 'text/invisible-character', { question: 'a\u00a0b\u00a0 c\u00a0' }, /^Write plain blanks/, {
    question: 'a b c',
  }),
  docmath('zero width', 'text/invisible-character', { question: 'reve\u200bnue' }, /^Remove each zero-width space/, {
    question: 'revenue',
  }),
  docmath('blanks', 'text/stray-blanks', { question: ' a  b ' }, /^Trim/, { question: 'a b' }),
  docmath('mojibake', 'text/mojibake', { question: 'company\u00e2\u20ac\u2122s caf\u00c3\u00a9' }, /^Write ’ for/, {
    question: 'company’s café',
  }),
  docmath('entities', 'text/html-entity', { question: 'R&amp;D &#8364;' }, /^Write & for &amp;$/, {
    question: 'R&D €',
  }),
  sciegqa(
    'misnamed key',
    'schema/required',
    { doc_name: undefined, docname: 'paper' },
    /^Rename docname to doc_name$/,
    { doc_name: 'paper', docname: undefined },
  ),
  sciegqa('label', 'schema/enum', { subimg_type: [['tabel']] }, /^Change to "table"$/, { subimg_type: [['table']] }),
  sciegqa('page without its list', 'schema/type', { evidence_page: 2 }, /^Write \[2\]$/, { evidence_page: [2] }),
  sciegqa(
    'page as text',
    'schema/type',
    { evidence_page: ['2'] },
    /^Write the number 2$/,
    { evidence_page: [2] },
    true,
  ),
  sciegqa(
    'page twice',
    'page/duplicate',
    { ...TWO_PAGES, evidence_page: [2, 2] },
    /^Merge the two entries of page 2$/,
    { evidence_page: [2], bbox: [TWO_PAGES.bbox.flat()], subimg_type: [['table', 'text']] },
  ),
  sciegqa(
    'corners',
    'box/corner-order',
    { bbox: [[[2100, 1500, 300, 600]]], rel_bbox: undefined },
    /^Order the corners: \[300, 600, 2100, 1500\]$/,
    { bbox: [[[300, 600, 2100, 1500]]] },
  ),
  sciegqa(
    'corners beside a relative box in order',
    'box/corner-order',
    { bbox: [[[2100, 1500, 300, 600]]] },
    /^Order the corners: \[300, 600, 2100, 1500\]$/,
    { bbox: [[[300, 600, 2100, 1500]]] },
    true,
  ),
  sciegqa(
    'corners that are an x, y, width and height',
    'box/corner-order',
    { bbox: [[[900, 1200, 600, 300]]], rel_bbox: [[[352.941176, 363.636364, 588.235294, 454.545455]]] },
    /^Order the corners/,
    { bbox: [[[600, 300, 900, 1200]]] },
  ),
  sciegqa(
    'corners of both',
    'box/corner-order',
    { bbox: [[[2100, 600, 300, 1500]]], rel_bbox: [[[823.529412, 181.818182, 117.647059, 454.545455]]] },
    /^Order the corners/,
    { bbox: SCIEGQA['bbox'], rel_bbox: SCIEGQA['rel_bbox'] },
    true,
  ),
  sciegqa(
    'outside',
    'box/out-of-page',
    { bbox: [[[-5, 600, 2700, 1500]]], rel_bbox: undefined },
    /^Clip to the page: \[0, 600, 2550, 1500\]$/,
    { bbox: [[[0, 600, 2550, 1500]]] },
  ),
  sciegqa(
    'outside twice',
    'box/out-of-page',
    { bbox: [[[0, 600, 2600, 1500]]], rel_bbox: [[[0, 181.818182, 1019.607843, 454.545455]]] },
    /^Clip to the page, in rel_bbox too/,
    { bbox: [[[0, 600, 2550, 1500]]], rel_bbox: [[[0, 181.818182, 1000, 454.545455]]] },
  ),
  sciegqa('another space', 'box/mismatch', { bbox: [[[118, 182, 824, 455]]] }, /^Convert to pixels at 300 dpi/, {
    bbox: [[[300, 600, 2100, 1500]]],
  }),
  sciegqa('box from its twin', 'box/mismatch', { bbox: [[[310, 620, 2180, 1570]]] }, /^Take the box from rel_bbox/, {
    bbox: SCIEGQA['bbox'],
  }),
  sciegqa(
    'twin from its box',
    'box/mismatch',
    { rel_bbox: [[[120.123456, 190.25, 800, 460]]] },
    /^Take rel_bbox from bbox/,
    { rel_bbox: SCIEGQA['rel_bbox'] },
  ),
];

/** What the rules say of a record in this spelling. */
export function findingsOf({ profile, run }: Faulty, text: string): readonly Found[] {
  const settings = settingsOf(profile);
  const source: unknown = (JSON.parse(text) as JsonRecord)['python_solution'];
  const expected = { entryPoint: settings.profile.entryPoint, allowedImports: settings.solutions.allowedImports };
  const faults = typeof source === 'string' ? analyseSolution(source, expected).faults : [];
  const document = profile === 'sciegqa' ? documentOf(3) : undefined;
  // Rules that look things up in evidence have repairs of their own.
  const rules = RULES.filter(({ needs }) => needs !== 'trace' && needs !== 'page');
  return check(rules, settings, [text], { ...(run && { run }), ...(document && { document }), faults });
}
