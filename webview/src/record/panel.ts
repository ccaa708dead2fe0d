/** The record panel: question, answer, solution, problems, numbers and cited text, all of it to be read, traced and edited. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import { html } from '../dom.ts';
import type { Host } from '../host.ts';
import type { Disclosure } from '../judging.ts';
import { recordKey, sameRecord } from '../same-record.ts';
import type { BlockSection } from './blocks.ts';
import { createBlockSection } from './blocks.ts';
import type { Draft, Editable } from './editing.ts';
import { createEditing } from './editing.ts';
import type { OnNumber } from './marks.ts';
import { createMissingNote } from './missing-note.ts';
import { createNumberSection } from './numbers.ts';
import { createRecordSection } from './record.ts';

/** Texts that were typed and not saved, by record. */
export type Drafts = Readonly<Record<string, readonly Draft[]>>;

export interface RecordPanel {
  readonly element: HTMLElement;
  readonly blocks: BlockSection;
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
  /** No record is shown any more. */
  clear(): void;
  /** Where question, answer or solution are shown, by their pointers. */
  placeOf(pointer: string): HTMLElement | null;
  state(): { readonly drafts: Drafts };
}

export interface PanelParts {
  readonly host: Pick<Host, 'ask' | 'post'>;
  select(pointer: string): void;
  /** Leads to what a problem is about. */
  goTo(pointer: string): void;
  /** A number was chosen where it is written, or in the list: its place is shown. */
  find: OnNumber;
  /** A number was chosen where it stands, or is to be shown in the file. */
  selectNumber: OnNumber;
  reveal(): void;
  announce(words: string): void;
  /** What is typed changed. */
  moved(): void;
  readonly drafts: Drafts;
}

export function createRecordPanel(parts: PanelParts): RecordPanel {
  const { host, announce } = parts;
  let shown: ShownEvidence | null = null;
  let hidesAnswer = false;
  let drafts: Drafts = parts.drafts;

  const record = createRecordSection({
    goTo: parts.goTo,
    reveal: parts.reveal,
    find: parts.find,
    edit,
    editSolution: () => shown !== null && host.post({ type: 'editSolution', index: shown.index }),
  });
  const numbers = createNumberSection({ find: parts.find, select: parts.selectNumber });
  const blocks = createBlockSection({ select: parts.select, selectNumber: parts.selectNumber, edit });
  const missing = createMissingNote();
  const editing = createEditing({
    change: (change) =>
      shown === null
        ? Promise.reject(new Error('No record is shown.'))
        : host.ask('change', { uri: shown.uri, index: shown.index, version: shown.version, change }),
    closed({ key }, home, saved) {
      if (saved !== null && find(key)?.text !== saved) {
        if (key === 'question' || key === 'answer') record.preview(key, saved);
        else blocks.preview(key, saved);
      }
      // What came while something was typed is shown now.
      const hadFocus = home.contains(document.activeElement) || document.activeElement === document.body;
      if (saved === null || find(key)?.text === saved) blocks.refresh();
      if (hadFocus) focusAfter(key);
    },
    typed: parts.moved,
    announce,
  });

  function focusAfter(key: string): void {
    const home = record.homeOf(key) ?? blocks.homeOf(key);
    const button =
      home?.querySelector<HTMLElement>('.edit-button') ?? home?.closest('.block')?.querySelector('.edit-button');
    const target = home?.hasAttribute('tabindex') === true ? home : button;
    (target as HTMLElement | null | undefined)?.focus({ preventScroll: true });
  }

  /** What can be edited by now; null: there is no such text in the record. */
  function find(key: string): Editable | null {
    if (shown === null) return null;
    if (key !== 'question' && key !== 'answer') return blocks.editable(key);
    const pointer = shown.editable?.[key];
    const text = shown[key];
    if (pointer === undefined || text === null || (key === 'answer' && hidesAnswer)) return null;
    return { key, pointer, text, name: `the ${key}`, isOneLine: false };
  }

  const homeOf = (key: string): HTMLElement | null => record.homeOf(key) ?? blocks.homeOf(key);

  function edit(key: string): void {
    const editable = find(key);
    const home = homeOf(key);
    if (editable !== null && home !== null) editing.open(editable, home);
  }

  function keep(key: string, kept: readonly Draft[]): void {
    const others = Object.entries(drafts).filter(([other]) => other !== key);
    drafts = Object.fromEntries(kept.length === 0 ? others : [...others, [key, kept]]);
  }

  /** Opens the fields again in which something was typed when this record was left. */
  function reopen(next: ShownEvidence): void {
    const kept = drafts[recordKey(next)] ?? [];
    for (const draft of kept) {
      const editable = find(draft.key);
      const home = homeOf(draft.key);
      if (editable !== null && home !== null) editing.restore(draft, editable, home);
    }
    keep(recordKey(next), []);
  }

  const element = html('div', { class: 'sheet' }, record.element, numbers.element, blocks.element, missing.element);

  function leave(): void {
    if (shown !== null) keep(recordKey(shown), editing.stash());
  }

  return {
    element,
    blocks,
    update(evidence, disclosure) {
      const isOther = !sameRecord(shown, evidence);
      if (isOther) leave();
      shown = evidence;
      hidesAnswer = disclosure === 'hidden';
      record.update(evidence, disclosure);
      numbers.update(evidence.trace);
      blocks.update(evidence.blocks, evidence.trace?.numbers ?? []);
      missing.update(evidence);
      editing.refresh(find);
      if (isOther) reopen(evidence);
    },
    clear() {
      leave();
      shown = null;
    },
    placeOf: record.placeOf,
    state() {
      const open = editing.drafts();
      if (shown === null || open.length === 0) return { drafts };
      return { drafts: { ...drafts, [recordKey(shown)]: open } };
    },
  };
}
