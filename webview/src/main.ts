/** The evidence preview: shows what it is sent, says what was chosen, and keeps its place. */
import type { ShownEvidence, ToPage } from '../../schemas/page.ts';
import type { EvidenceNumber } from '../../schemas/protocol.ts';
import { createBlockSection } from './blocks.ts';
import { html, setText } from './dom.ts';
import { flash } from './flash.ts';
import type { ViewState } from './host.ts';
import { connectHost } from './host.ts';
import type { Disclosure } from './judging.ts';
import { withoutAnswer } from './judging.ts';
import { handleKey } from './keys.ts';
import { placeIn } from './marks.ts';
import { createNumberSection } from './numbers.ts';
import type { PageCard } from './pages.ts';
import { createPageSection } from './pages.ts';
import { createPdfEngine } from './pdf.ts';
import type { Target } from './pointer.ts';
import { targetsAt } from './pointer.ts';
import { createRecordSection } from './record.ts';
import { createToolbar } from './toolbar.ts';
import { anchorAt, holdAnchor, reveal } from './viewport.ts';
import type { Zoom } from './zoom.ts';
import { nextZoom, wheelZoom } from './zoom.ts';

/** CSS px between the edge of the panel and a page, on either side; preview.css says the same. */
const MARGIN = 16;
/** A card whose top is this close to the top of the view counts as being there. */
const AT_TOP = 4;
/** The current page is the last one that begins above this fraction of the view. */
const READING_LINE = 0.4;

const host = connectHost();
const { resources = '', timeoutMs = '30000' } = document.body.dataset;

const log = (message: string): void => host.post({ type: 'log', level: 'warning', message });
const engine = createPdfEngine(resources, Number(timeoutMs), log);

let evidence: ShownEvidence | null = null;
let zoom: Zoom = 'fit';
let cursor: string | null = null;
let restoring: ViewState | null = host.loadState();
if (restoring !== null) {
  zoom = restoring.zoom;
}
/** Nothing but question and evidence is shown, and the rest of this record was asked for. */
let evidenceOnly = restoring?.evidenceOnly === true;
let revealed = false;

const toolbar = createToolbar({
  record: stepRecord,
  page: stepPage,
  zoom: stepZoom,
  zoomTo,
  evidenceOnly: toggleEvidenceOnly,
});
const banner = html('p', { class: 'banner', role: 'status', hidden: true });
const empty = html('p', { class: 'empty', role: 'status' }, 'Waiting for the record …');
const record = createRecordSection(choose, toggleAnswer);
const numbers = createNumberSection({ find: findNumber, select: selectNumber });
const blocks = createBlockSection(choose, selectNumber);
const nothing = html('p', { class: 'nothing', hidden: true });
const scroller = html('main', { class: 'scroller', tabindex: 0, 'aria-label': 'Evidence' });
const pages = createPageSection(
  scroller,
  { select: choose, selectNumber, openDocument: (page) => host.post({ type: 'openDocument', page }) },
  { engine, timeoutMs: Number(timeoutMs), onSized: relayout, log },
);
const announcer = html('p', { class: 'sr-only', role: 'status' });
const sheet = html('div', { class: 'sheet' }, record.element, numbers.element, blocks.element, nothing);
scroller.append(sheet, pages.element);
document.body.append(toolbar.element, banner, empty, scroller, announcer);
toolbar.showRecord(null);
toolbar.showEvidenceOnly(evidenceOnly);
scroller.hidden = true;

function room(): number {
  return Math.max(80, scroller.clientWidth - 2 * MARGIN);
}

function viewTop(): number {
  return scroller.getBoundingClientRect().top;
}

function currentCard(): PageCard | null {
  const cards = pages.cards();
  const atEnd = scroller.scrollTop > 0 && scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - 2;
  const line = viewTop() + scroller.clientHeight * (atEnd ? 1 : READING_LINE);
  return cards.findLast((card) => card.element.getBoundingClientRect().top <= line) ?? cards[0] ?? null;
}

function showPlace(): void {
  const card = currentCard();
  if (card !== null) {
    toolbar.showPage(pages.cards().indexOf(card), pages.cards().length, String(card.page.number));
    toolbar.showZoom(zoom, pages.factor(card, zoom, room()));
  }
}

/** Anything that may stand at the top edge while reading. */
function landmarks(): Element[] {
  return [...pages.cards().flatMap((card) => card.landmarks()), ...blocks.element.querySelectorAll('.block')];
}

/** Runs a change that may alter sizes, keeping a point of the content (client coordinates) where it is. */
function keepingPlace(change: () => void, x: number, y: number): void {
  const anchor = scroller.scrollTop === 0 ? null : anchorAt(landmarks(), x, y);
  change();
  holdAnchor(scroller, anchor);
}

function relayout(): void {
  keepingPlace(() => pages.layout(zoom, room()), scroller.getBoundingClientRect().left + MARGIN, viewTop() + AT_TOP);
  showPlace();
}

function setZoom(next: Zoom, x?: number, y?: number): void {
  const view = scroller.getBoundingClientRect();
  zoom = next;
  keepingPlace(
    () => pages.layout(zoom, room()),
    x ?? view.left + scroller.clientWidth / 2,
    y ?? view.top + scroller.clientHeight * READING_LINE,
  );
  showPlace();
  saveState();
}

function zoomTo(next: Zoom): void {
  setZoom(next);
}

function currentFactor(): number {
  const card = currentCard();
  return card === null ? 1 : pages.factor(card, zoom, room());
}

function stepZoom(step: 1 | -1): void {
  setZoom(nextZoom(currentFactor(), step));
}

function stepPage(step: 1 | -1): void {
  const tops = pages.cards().map((card) => card.element.getBoundingClientRect().top - viewTop());
  const target = step > 0 ? tops.find((top) => top > AT_TOP) : tops.findLast((top) => top < -AT_TOP);
  if (target !== undefined) {
    scroller.scrollTop += target;
  } else if (step < 0) {
    scroller.scrollTop = 0;
  }
  showPlace();
}

function stepRecord(step: 1 | -1): void {
  const target = evidence === null ? -1 : evidence.index + step;
  if (evidence !== null && target >= 0 && target < evidence.records) {
    host.post({ type: 'record', step });
  }
}

function targets(shown: ShownEvidence): Target[] {
  return [
    ...shown.pages.flatMap((page) => page.regions.map((region) => ({ pointers: [region.pointer] }))),
    ...shown.pages.map((page) => ({ pointers: [page.pointer] })),
    ...shown.blocks.map((block) => ({ pointers: [block.pointer, block.blockPointer] })),
  ];
}

function mark(pointers: readonly string[]): void {
  const selected = new Set(pointers);
  pages.select(selected);
  blocks.select(selected);
}

/** Marks what the editor's cursor stands in; moves the view only when the cursor went somewhere else. */
function followCursor(pointer: string | null, move: boolean): void {
  cursor = pointer;
  const found =
    evidence === null ? [] : targetsAt(targets(evidence), pointer).map((target) => target.pointers[0] ?? '');
  mark(found);
  const first = found[0];
  const bounds = move && first !== undefined ? (pages.bounds(first) ?? blocks.bounds(first)) : null;
  if (bounds !== null) {
    reveal(scroller, bounds);
  }
}

function choose(pointer: string): void {
  if (evidence !== null) {
    mark([pointer]);
    host.post({ type: 'select', index: evidence.index, pointer });
  }
}

/** The editor selects the number where it is written. */
function selectNumber({ pointer, inString }: EvidenceNumber): void {
  if (evidence !== null) {
    host.post({ type: 'select', index: evidence.index, pointer, inString });
  }
}

/** Brings the best shown place of a number into view; where none is shown, the editor shows its place. */
function findNumber(number: EvidenceNumber, at: number): void {
  const shown = placeIn(blocks.element, at) ?? placeIn(pages.element, at);
  const [first] = number.places;
  if (shown !== null) {
    // A table scrolls on its own.
    shown.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    reveal(scroller, shown.getBoundingClientRect());
    flash(shown);
    setText(announcer, shown.getAttribute('aria-label') ?? '');
  } else if (first?.kind === 'block' && evidence !== null) {
    host.post({ type: 'select', index: evidence.index, pointer: first.blockPointer, inString: first.inString });
  } else {
    selectNumber(number);
  }
}

function sameRecord(a: ShownEvidence | null, b: ShownEvidence): boolean {
  if (a === null || a.uri !== b.uri) {
    return false;
  }
  // A line put in above shifts the index; the record is still the same one.
  return a.index === b.index || (a.id !== null && a.id === b.id && a.question === b.question);
}

function whatIsMissing(shown: ShownEvidence): string {
  if (shown.pages.length === 0 && shown.blocks.length === 0) {
    return 'This record cites no paragraphs, no tables and no pages.';
  }
  return shown.pages.length > 0 && shown.pages.every((page) => page.regions.length === 0)
    ? 'No regions are marked on the cited pages.'
    : '';
}

function disclosure(): Disclosure {
  return evidenceOnly ? (revealed ? 'revealed' : 'hidden') : 'all';
}

function fill(whole: ShownEvidence): void {
  const shown = disclosure() === 'hidden' ? withoutAnswer(whole) : whole;
  record.update(shown, disclosure());
  numbers.update(shown.trace);
  blocks.update(shown.blocks, shown.trace?.numbers ?? []);
  const missing = whatIsMissing(shown);
  nothing.hidden = missing === '';
  setText(nothing, missing);
  pages.update(shown, evidenceOnly);
  pages.layout(zoom, room());
}

/** Fills the page anew after another part of the record is to be seen. */
function refill(): void {
  if (evidence !== null) {
    const shown = evidence;
    keepingPlace(() => fill(shown), scroller.getBoundingClientRect().left + MARGIN, viewTop() + AT_TOP);
    followCursor(cursor, false);
    showPlace();
    saveState();
  }
}

function showEvidenceOnly(on: boolean): void {
  if (on !== evidenceOnly) {
    evidenceOnly = on;
    revealed = false;
    toolbar.showEvidenceOnly(on);
    setText(announcer, on ? 'Evidence only: answer, solution and findings are hidden.' : 'Everything is shown.');
    refill();
  }
}

function toggleEvidenceOnly(): void {
  showEvidenceOnly(!evidenceOnly);
}

function toggleAnswer(): void {
  if (evidenceOnly && evidence !== null) {
    revealed = !revealed;
    setText(announcer, revealed ? `Answer: ${evidence.answer ?? 'none given'}` : 'Answer hidden');
    refill();
  }
}

function restoreScroll(state: ViewState): void {
  const anchor = state.anchor;
  const card = anchor && pages.cards().find((candidate) => candidate.key === anchor.card);
  if (anchor && card) {
    const bounds = card.element.getBoundingClientRect();
    scroller.scrollTop += bounds.top - viewTop() + anchor.fraction * bounds.height;
    scroller.scrollLeft = state.scrollLeft;
  }
}

function show(next: ShownEvidence | null, message: string): void {
  toolbar.showRecord(next);
  scroller.hidden = next === null;
  empty.hidden = next !== null;
  const note = next === null ? '' : message;
  banner.hidden = note === '';
  setText(banner, note);
  if (next === null) {
    evidence = null;
    pages.update(null);
    setText(empty, message === '' ? 'No record here. Put the cursor into a record of a dataset file.' : message);
    return;
  }
  const before = evidence;
  evidence = next;
  if (sameRecord(before, next)) {
    keepingPlace(() => fill(next), scroller.getBoundingClientRect().left + MARGIN, viewTop() + AT_TOP);
    followCursor(next.cursor, next.cursor !== cursor);
  } else {
    const state = restoring;
    const restored = state !== null && state.uri === next.uri && state.index === next.index;
    revealed = restored && state.revealed === true;
    fill(next);
    scroller.scrollTo(0, 0);
    followCursor(next.cursor, !restored);
    if (restored) {
      restoreScroll(state);
    }
    setText(announcer, `Record ${next.index + 1} of ${next.records}${next.id === null ? '' : `, ${next.id}`}`);
  }
  restoring = null;
  showPlace();
  saveState();
}

function saveState(): void {
  if (evidence === null) {
    return;
  }
  const card = currentCard();
  const bounds = card?.element.getBoundingClientRect();
  host.saveState({
    version: 1,
    uri: evidence.uri,
    index: evidence.index,
    zoom,
    anchor:
      card && bounds && bounds.height > 0
        ? { card: card.key, fraction: (viewTop() - bounds.top) / bounds.height }
        : null,
    scrollLeft: scroller.scrollLeft,
    evidenceOnly,
    revealed,
  });
}

host.onMessage((message: ToPage) => {
  switch (message.type) {
    case 'show':
      show(message.evidence, message.message ?? '');
      break;
    case 'cursor':
      followCursor(message.pointer, message.pointer !== cursor);
      break;
    case 'evidenceOnly':
      showEvidenceOnly(true);
      break;
  }
});

document.addEventListener('keydown', (event) => {
  const handled = handleKey(event, {
    page: stepPage,
    record: stepRecord,
    zoom: stepZoom,
    actualSize: () => zoomTo(1),
    fitWidth: () => zoomTo('fit'),
    evidenceOnly: toggleEvidenceOnly,
    answer: toggleAnswer,
  });
  if (handled) {
    event.preventDefault();
  }
});

scroller.addEventListener(
  'wheel',
  (event) => {
    if (event.ctrlKey && pages.cards().length > 0) {
      event.preventDefault();
      setZoom(wheelZoom(currentFactor(), event.deltaY), event.clientX, event.clientY);
    }
  },
  { passive: false },
);

let frame = 0;
scroller.addEventListener('scroll', () => {
  if (frame === 0) {
    frame = requestAnimationFrame(() => {
      frame = 0;
      showPlace();
      saveState();
    });
  }
});

new ResizeObserver(relayout).observe(scroller);

/** Moving the window to another screen changes the device pixels a page needs. */
function watchPixelRatio(): void {
  matchMedia(`(resolution: ${window.devicePixelRatio}dppx)`).addEventListener(
    'change',
    () => {
      relayout();
      watchPixelRatio();
    },
    { once: true },
  );
}
watchPixelRatio();

host.post({ type: 'ready' });
