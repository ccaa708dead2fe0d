/** Beside the table: the chosen record with its findings, or what several chosen records have in common. */
import type { CodeChoice, DetailFinding, RecordDetail } from '../../../schemas/records.ts';
import type { RecordDeed } from '../../../schemas/records-page.ts';
import { formatCount, html, plural } from '../dom.ts';
import { icon } from '../icons.ts';
import { severityMark } from '../severity.ts';
import { titleOf } from './words.ts';

export interface DetailActions {
  deed(deed: RecordDeed): void;
  goTo(pointer: string): void;
  /** `null`: all findings of what is chosen, else one finding. */
  fix(finding: DetailFinding | null, fix: number): void;
  accept(finding: DetailFinding | null): void;
  run(): void;
  runAll(): void;
  explain(code: string): void;
}

/** What can be done in this file and workspace. */
export interface Possible {
  /** Some record of the file has a solution. */
  readonly solutions: boolean;
  /** Solutions may be run. */
  readonly run: boolean;
}

export interface DetailPane {
  readonly element: HTMLElement;
  showRecord(detail: RecordDetail, may: Possible): void;
  showSeveral(count: number, codes: readonly CodeChoice[], may: Possible): void;
  showFile(findings: readonly DetailFinding[]): void;
}

function action(
  name: string,
  act: () => void,
  more: { readonly title?: string; readonly primary?: boolean } = {},
): HTMLButtonElement {
  const button = html(
    'button',
    { type: 'button', class: more.primary === true ? 'action primary' : 'action', title: more.title ?? null },
    name,
  );
  button.addEventListener('click', act);
  return button;
}

export function createDetailPane(actions: DetailActions): DetailPane {
  const element = html('section', { class: 'detail', 'aria-label': 'Details', tabindex: -1 });
  let shown = '';

  /** The focus stays where it was, where what had it is still there. */
  function fill(key: unknown, make: () => readonly HTMLElement[]): void {
    const next = JSON.stringify(key);
    if (next === shown) return;
    shown = next;
    const focused = element.contains(document.activeElement)
      ? document.activeElement?.getAttribute('data-focus')
      : null;
    element.replaceChildren(...make());
    element.querySelectorAll('button').forEach((button, at) => button.setAttribute('data-focus', String(at)));
    if (typeof focused === 'string') element.querySelector<HTMLElement>(`[data-focus="${focused}"]`)?.focus();
  }

  function findingItem(finding: DetailFinding, canGo: boolean): HTMLElement {
    const { severity, message, code, pointer, fixes } = finding;
    const text = canGo
      ? html('button', { type: 'button', class: 'message', title: 'Go to the value' }, message)
      : html('span', { class: 'message' }, message);
    if (canGo) text.addEventListener('click', () => actions.goTo(pointer));
    const explain = html('button', { type: 'button', class: 'code', title: 'Explain the rule' }, code);
    explain.addEventListener('click', () => actions.explain(code));
    return html(
      'li',
      { class: 'finding' },
      severityMark(severity),
      html(
        'div',
        { class: 'finding-body' },
        text,
        html(
          'div',
          { class: 'finding-actions' },
          explain,
          ...fixes.map(({ title, safe }, at) =>
            action(title, () => actions.fix(finding, at), {
              title: safe ? 'Shows what changes first' : 'Shows what changes first: it changes what the record says',
            }),
          ),
          action('Accept…', () => actions.accept(finding), { title: 'Let this finding stand, with a reason' }),
        ),
      ),
    );
  }

  return {
    element,
    showRecord(detail, may) {
      fill(['record', detail, may], () => {
        const { index, id, question, answer, solution, failed, findings } = detail;
        const fixable = findings.some(({ fixes }) => fixes.length > 0);
        return [
          html(
            'h2',
            {},
            html('span', {}, `#${formatCount(index + 1)}`),
            id === null ? null : html('span', { class: 'id' }, id),
          ),
          html(
            'div',
            { class: 'actions', role: 'group', 'aria-label': titleOf(index, id) },
            action('Open', () => actions.deed('open'), { title: 'Go to the first finding in the file (Enter)' }),
            action('Preview', () => actions.deed('preview'), { title: 'Show the evidence (Space)' }),
            action('Edit record', () => actions.deed('edit'), {
              title: 'Edit the record as a document of its own (E)',
            }),
            ...(may.solutions
              ? [action('Edit solution', () => actions.deed('solution'), { title: 'Edit the solution as Python (S)' })]
              : []),
            ...(solution !== null && may.run ? [action('Run', actions.run, { title: 'Run the solution (R)' })] : []),
            ...(findings.length > 1 && fixable
              ? [action('Fix all…', () => actions.fix(null, 0), { title: 'Fix the findings of the record (F)' })]
              : []),
            ...(findings.length > 1
              ? [
                  action('Accept all…', () => actions.accept(null), {
                    title: 'Let the findings stand, with a reason (A)',
                  }),
                ]
              : []),
          ),
          ...(question === null ? [] : [html('p', { class: 'question' }, question)]),
          ...(answer === null && solution === null
            ? []
            : [
                html(
                  'dl',
                  {},
                  ...(answer === null ? [] : [html('dt', {}, 'Answer'), html('dd', {}, answer)]),
                  ...(solution === null
                    ? []
                    : [html('dt', {}, 'Solution'), html('dd', { class: failed ? 'failed' : '' }, solution)]),
                ),
              ]),
          findings.length === 0
            ? html('p', { class: 'dim clean' }, icon('check'), 'No findings.')
            : html('ul', { class: 'findings' }, ...findings.map((finding) => findingItem(finding, true))),
        ];
      });
    },
    showSeveral(count, codes, may) {
      fill(['several', count, codes, may], () => {
        const fixable = codes.reduce((sum, code) => sum + code.fixable, 0);
        const total = codes.reduce((sum, code) => sum + code.count, 0);
        return [
          html('h2', {}, plural(count, 'record selected', 'records selected')),
          html(
            'div',
            { class: 'actions', role: 'group', 'aria-label': 'Selected records' },
            ...(fixable > 0
              ? [
                  action(`Fix ${formatCount(fixable)}…`, () => actions.fix(null, 0), {
                    primary: true,
                    title: 'Shows what changes first (F)',
                  }),
                ]
              : []),
            ...(total > 0
              ? [
                  action(`Accept ${formatCount(total)}…`, () => actions.accept(null), {
                    title: 'Let findings stand, with a reason (A)',
                  }),
                ]
              : []),
            ...(may.solutions && may.run
              ? [action('Run solutions', actions.run, { title: 'Run their solutions (R)' })]
              : []),
          ),
          html(
            'ul',
            { class: 'findings' },
            ...codes.map(({ code, severity, count: many, fixable: fixes }) =>
              html(
                'li',
                { class: 'finding' },
                severityMark(severity),
                html('span', { class: 'message' }, code),
                html(
                  'span',
                  { class: 'dim' },
                  plural(many, 'finding', 'findings') + (fixes > 0 ? `, ${formatCount(fixes)} can be fixed` : ''),
                ),
              ),
            ),
          ),
        ];
      });
    },
    showFile(findings) {
      fill(['file', findings], () => [
        html('h2', {}, 'The file'),
        findings.length === 0
          ? html('p', { class: 'dim' }, 'Choose a record to see its findings.')
          : html('ul', { class: 'findings' }, ...findings.map((finding) => findingItem(finding, false))),
      ]);
    },
  };
}
