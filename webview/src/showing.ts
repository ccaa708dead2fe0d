/** Which record is shown, and how much of it. */
import type { ShownEvidence } from '../../schemas/page.ts';
import { html, setText } from './dom.ts';
import type { ViewState } from './host.ts';
import type { Disclosure } from './judging.ts';
import { withoutAnswer } from './judging.ts';
import type { Place } from './place.ts';
import { sameRecord } from './same-record.ts';
import { withPhrases } from './record/traced.ts';
import type { Selection } from './selection.ts';
import type { Toolbar } from './toolbar.ts';

/** A part of the page that shows a part of the record. */
export type Section = (evidence: ShownEvidence, disclosure: Disclosure) => void;

export interface Showing {
  /** Stands above the evidence, and in place of it. */
  readonly elements: readonly HTMLElement[];
  evidence(): ShownEvidence | null;
  show(next: ShownEvidence | null, message: string): void;
  /** Nothing but question and evidence, or everything. */
  evidenceOnly(on: boolean): void;
  toggleEvidenceOnly(): void;
  /** Answer and solution of this record, where evidence alone is shown. */
  toggleAnswer(): void;
  state(): Pick<ViewState, 'evidenceOnly' | 'revealed'>;
}

export interface ShowingParts {
  /** Filled in this order. */
  readonly sections: readonly Section[];
  /** No record is shown any more. */
  empty(): void;
  /** Holds the sections. */
  readonly content: readonly HTMLElement[];
  readonly toolbar: Pick<Toolbar, 'showRecord' | 'showEvidenceOnly'>;
  place(): Pick<Place, 'layout' | 'show' | 'restore'>;
  /** Runs a change, keeping what is read where it is. */
  keeping(change: () => void): void;
  toTop(): void;
  selection(): Selection;
  announce(words: string): void;
  save(): void;
}

/** `restored`: what was shown before the page was loaded anew. */
export function createShowing(parts: ShowingParts, restored: ViewState | null): Showing {
  const { sections, content, toolbar, place, keeping, selection, announce, save } = parts;
  const banner = html('p', { class: 'banner', role: 'status', hidden: true });
  const empty = html('p', { class: 'empty', role: 'status' }, 'Waiting for the record …');
  let evidence: ShownEvidence | null = null;
  let restoring = restored;
  let evidenceOnly = restored?.evidenceOnly === true;
  let revealed = false;

  function setHidden(hidden: boolean): void {
    for (const part of content) {
      part.hidden = hidden;
    }
    empty.hidden = !hidden;
  }

  function fill(whole: ShownEvidence): void {
    const disclosure = evidenceOnly ? (revealed ? 'revealed' : 'hidden') : 'all';
    const shown = disclosure === 'hidden' ? withoutAnswer(whole) : withPhrases(whole);
    for (const section of sections) {
      section(shown, disclosure);
    }
    place().layout();
  }

  /** Fills the page anew after another part of the record is to be seen. */
  function refill(): void {
    const shown = evidence;
    if (shown !== null) {
      keeping(() => fill(shown));
      selection().again();
      place().show();
      save();
    }
  }

  function setEvidenceOnly(on: boolean): void {
    if (on !== evidenceOnly) {
      evidenceOnly = on;
      revealed = false;
      toolbar.showEvidenceOnly(on);
      announce(on ? 'Evidence only: answer, solution and findings are hidden.' : 'Everything is shown.');
      refill();
    }
  }

  function showNothing(message: string): void {
    evidence = null;
    parts.empty();
    setText(empty, message === '' ? 'No record here. Put the cursor into a record of a dataset file.' : message);
  }

  function showOther(next: ShownEvidence): void {
    const state = restoring;
    const known = state !== null && state.uri === next.uri && state.index === next.index;
    revealed = known && state.revealed === true;
    fill(next);
    if (!known) {
      parts.toTop();
    }
    selection().follow(next.cursor, next.cursorAt ?? null, known ? 'stay' : 'go');
    if (known) {
      place().restore(state);
    }
    announce(`Record ${next.index + 1} of ${next.records}${next.id === null ? '' : `, ${next.id}`}`);
  }

  toolbar.showRecord(null);
  toolbar.showEvidenceOnly(evidenceOnly);
  setHidden(true);

  return {
    elements: [banner, empty],
    evidence: () => evidence,
    show(next, message) {
      toolbar.showRecord(next);
      setHidden(next === null);
      const note = next === null ? '' : message;
      banner.hidden = note === '';
      setText(banner, note);
      if (next === null) {
        showNothing(message);
        return;
      }
      const before = evidence;
      evidence = next;
      if (sameRecord(before, next)) {
        keeping(() => fill(next));
        selection().follow(next.cursor, next.cursorAt ?? null, 'snapshot');
      } else {
        showOther(next);
      }
      restoring = null;
      place().show();
      save();
    },
    evidenceOnly: setEvidenceOnly,
    toggleEvidenceOnly: () => setEvidenceOnly(!evidenceOnly),
    toggleAnswer() {
      if (evidenceOnly && evidence !== null) {
        revealed = !revealed;
        announce(revealed ? `Answer: ${evidence.answer ?? 'none given'}` : 'Answer hidden');
        refill();
      }
    },
    state: () => ({ evidenceOnly, revealed }),
  };
}
