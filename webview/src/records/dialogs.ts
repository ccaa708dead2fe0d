/** Fixing and accepting: what is to be done is shown before it is done. */
import type { Chosen, CodeChoice, FixPlan, PlannedChange } from '../../../schemas/records.ts';
import { formatCount, html, plural } from '../dom.ts';
import { severityMark } from '../severity.ts';
import type { Host } from './host.ts';

/** What a dialog is about: one finding, or all of some records. */
export type Subject =
  | { readonly kind: 'finding'; readonly fingerprint: string; readonly fix: number; readonly title: string }
  | { readonly kind: 'records'; readonly keys: readonly number[]; readonly codes: readonly string[] };

export interface Dialogs {
  fix(uri: string, subject: Subject): Promise<void>;
  accept(uri: string, subject: Subject): Promise<void>;
}

export function createDialogs(host: Host, say: (text: string, isProblem?: boolean) => void, back: () => void): Dialogs {
  function open(title: string, confirm: string): Frame {
    const frame = createFrame(title, confirm);
    document.body.append(frame.dialog);
    frame.dialog.addEventListener('close', () => {
      frame.dialog.remove();
      back();
    });
    frame.dialog.showModal();
    return frame;
  }

  /** Rules with findings, of which some are to be taken; undefined where there is nothing to choose. */
  async function choices(uri: string, subject: Subject): Promise<readonly CodeChoice[] | undefined> {
    if (subject.kind === 'finding') return undefined;
    return (await host.ask('codes', { uri, keys: subject.keys })) ?? [];
  }

  const chosenOf = (subject: Subject, codes: readonly string[]): Chosen =>
    subject.kind === 'finding'
      ? { kind: 'finding', fingerprint: subject.fingerprint, fix: subject.fix }
      : { kind: 'records', keys: subject.keys, codes };

  return {
    async fix(uri, subject) {
      const all = await choices(uri, subject);
      const codes = all?.filter(({ fixable }) => fixable > 0);
      if (codes?.length === 0) {
        say('Nothing of what is selected can be fixed without a choice.');
        return;
      }
      const frame = open(subject.kind === 'finding' ? subject.title : 'Fix findings', 'Apply');
      const changes = html('div', { class: 'changes', tabindex: 0, role: 'region', 'aria-label': 'Changes' });
      let turn = 0;
      const preset = (code: CodeChoice): boolean =>
        subject.kind === 'records' && subject.codes.length > 0
          ? subject.codes.includes(code.code)
          : code.safe === code.fixable || codes?.every(({ safe }) => safe === 0) === true;
      const picker =
        codes &&
        createCodePicker(codes, preset, ({ fixable, safe }) => {
          const unsafe = fixable - safe;
          return `${formatCount(fixable)}${unsafe > 0 ? `, ${unsafe === fixable ? '' : `${formatCount(unsafe)} `}not safe: look at each` : ''}`;
        });
      frame.body.append(...(picker === undefined ? [] : [picker.element]), frame.note, changes);

      async function plan(): Promise<void> {
        const mine = ++turn;
        frame.confirm.disabled = true;
        const chosen = chosenOf(subject, picker?.chosen() ?? []);
        const made = await host.ask('plan', { uri, chosen });
        if (mine !== turn) return;
        showPlan(frame, changes, made);
      }
      picker?.element.addEventListener('change', () => void plan());
      frame.onConfirm(async () => {
        const result = await host.ask('fix', { uri, chosen: chosenOf(subject, picker?.chosen() ?? []) });
        const problem = result === null ? 'The language server does not answer.' : result.problem;
        if (problem !== null) return problem;
        say('Fixed.');
        return null;
      });
      await plan();
      if (!frame.confirm.disabled) frame.confirm.focus();
    },

    async accept(uri, subject) {
      const codes = await choices(uri, subject);
      if (codes?.length === 0) {
        say('There is no finding to accept.');
        return;
      }
      const frame = open(subject.kind === 'finding' ? 'Accept this finding' : 'Accept findings', 'Accept');
      const preset = ({ code }: CodeChoice): boolean =>
        subject.kind === 'records' && (subject.codes.length === 0 || subject.codes.includes(code));
      const picker = codes && createCodePicker(codes, preset, ({ count }) => formatCount(count));
      const reason = html('textarea', { rows: 2, required: true, 'aria-describedby': 'accept-note' });
      frame.note.id = 'accept-note';
      frame.note.textContent = 'The reason is kept beside the data, in auditable-qa.accepted.jsonl.';
      const label = html('label', { class: 'reason' }, html('span', {}, 'Why may it stand?'), reason);
      frame.body.append(...(picker === undefined ? [] : [picker.element]), label, frame.note);
      const check = (): void => {
        frame.confirm.disabled = reason.value.trim() === '' || picker?.chosen().length === 0;
      };
      frame.dialog.addEventListener('input', check);
      reason.addEventListener('keydown', (event) => {
        if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return;
        event.preventDefault();
        if (!frame.confirm.disabled) frame.confirm.click();
      });
      check();
      frame.onConfirm(async () => {
        const chosen =
          subject.kind === 'finding'
            ? { kind: 'findings' as const, fingerprints: [subject.fingerprint] }
            : { kind: 'records' as const, keys: subject.keys, codes: picker?.chosen() ?? [] };
        const result = await host.ask('accept', { uri, chosen, reason: reason.value.trim() });
        const problem = result === null ? 'The language server does not answer.' : result.problem;
        if (problem !== null) return problem;
        say(`${plural(result?.accepted ?? 0, 'finding', 'findings')} accepted.`);
        return null;
      });
      reason.focus();
    },
  };
}

interface Frame {
  readonly dialog: HTMLDialogElement;
  readonly body: HTMLElement;
  readonly note: HTMLElement;
  readonly confirm: HTMLButtonElement;
  /** Gives what went wrong, as a sentence; null: nothing, and the dialog closes. */
  onConfirm(act: () => Promise<string | null>): void;
}

function createFrame(title: string, confirmText: string): Frame {
  const heading = html('h2', { id: 'dialog-title' }, title);
  const body = html('div', { class: 'dialog-body' });
  const note = html('p', { class: 'note dim' });
  const problem = html('p', { class: 'note failed', role: 'alert' });
  const confirm = html('button', { type: 'submit', class: 'action primary' }, confirmText);
  const cancel = html('button', { type: 'button', class: 'action' }, 'Cancel');
  const form = html(
    'form',
    { method: 'dialog' },
    heading,
    body,
    problem,
    html('div', { class: 'dialog-actions' }, confirm, cancel),
  );
  const dialog = html('dialog', { 'aria-labelledby': 'dialog-title' }, form);
  cancel.addEventListener('click', () => dialog.close());
  return {
    dialog,
    body,
    note,
    confirm,
    onConfirm(act) {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        confirm.disabled = true;
        void act().then((wrong) => {
          if (wrong === null) {
            dialog.close();
            return;
          }
          problem.textContent = wrong;
          confirm.disabled = false;
        });
      });
    },
  };
}

function createCodePicker(
  codes: readonly CodeChoice[],
  preset: (code: CodeChoice) => boolean,
  countOf: (code: CodeChoice) => string,
): { readonly element: HTMLElement; chosen(): readonly string[] } {
  const boxes = codes.map((code) => {
    const box = html('input', { type: 'checkbox', value: code.code });
    box.checked = preset(code);
    return { box, code };
  });
  const element = html(
    'fieldset',
    { class: 'codes' },
    html('legend', {}, 'Rules'),
    ...boxes.map(({ box, code }) =>
      html(
        'label',
        {},
        box,
        severityMark(code.severity),
        html('span', { class: 'value-name' }, code.code),
        html('span', { class: 'value-count' }, countOf(code)),
      ),
    ),
  );
  return { element, chosen: () => boxes.flatMap(({ box }) => (box.checked ? [box.value] : [])) };
}

function showPlan(frame: Frame, changes: HTMLElement, plan: FixPlan | null): void {
  if (plan === null || plan.problem !== null) {
    frame.note.textContent = plan?.problem ?? 'The language server does not answer.';
    changes.replaceChildren();
    return;
  }
  const where = plan.records > 0 ? ` in ${plural(plan.records, 'record', 'records')}` : '';
  const undo = plan.onDisk
    ? ' The file is changed on disk: “Undo last change on disk” takes it back.'
    : ' One undo takes it back.';
  frame.note.textContent = `${plural(plan.total, 'change', 'changes')}${where}.${undo}`;
  const left = plan.total - plan.changes.length;
  changes.replaceChildren(
    html('ul', {}, ...plan.changes.map(changeItem)),
    ...(left > 0 ? [html('p', { class: 'dim' }, `and ${formatCount(left)} more`)] : []),
  );
  frame.confirm.disabled = false;
}

function changeItem({ index, id, place, lead, removed, added, tail }: PlannedChange): HTMLElement {
  const name = index === null ? place : `#${formatCount(index + 1)}${id === null ? '' : ` ${id}`} · ${place}`;
  const text =
    index === null
      ? null
      : html(
          'code',
          {},
          html('span', { class: 'dim' }, lead),
          removed === '' ? null : html('del', {}, removed),
          added === '' ? null : html('ins', {}, added),
          html('span', { class: 'dim' }, tail),
        );
  return html('li', {}, html('span', { class: 'change-place' }, name), text);
}
