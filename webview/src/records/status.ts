/** The line below the table: how many records and findings, how far the server is. */
import type { RecordList } from '../../../schemas/records.ts';
import { formatCount, html, plural, setText } from '../dom.ts';
import { countsText } from './words.ts';

export interface StatusLine {
  readonly element: HTMLElement;
  show(list: RecordList | null, selected: number, trusted: boolean, problem: string | null): void;
  /** Says something for a while. */
  tell(text: string): void;
  text(): string;
}

const TOLD_MS = 8000;

export function createStatusLine(actions: { runAll(): void; showFile(): void }): StatusLine {
  const counts = html('span', { class: 'status-counts' });
  const progress = html('span', { class: 'status-progress' });
  const told = html('span', { class: 'status-told' });
  const file = html('button', { type: 'button', class: 'link', hidden: true });
  const run = html('button', { type: 'button', class: 'link', hidden: true }, 'Run solutions of this file');
  file.addEventListener('click', actions.showFile);
  run.addEventListener('click', actions.runAll);
  let timer: ReturnType<typeof setTimeout> | undefined;
  return {
    element: html('footer', { class: 'status' }, counts, file, progress, run, told),
    show(list, selected, trusted, problem) {
      setText(counts, list === null ? (problem ?? '') : countText(list, selected));
      file.hidden = list === null || list.file.length === 0;
      setText(file, plural(list?.file.length ?? 0, 'finding of the file', 'findings of the file'));
      setText(progress, list === null ? '' : progressText(list));
      const solutions = list?.progress.solutions ?? { done: 0, total: 0 };
      run.hidden = !trusted || solutions.done >= solutions.total || list?.progress.running === true;
    },
    tell(text) {
      clearTimeout(timer);
      setText(told, text);
      timer = setTimeout(() => setText(told, ''), TOLD_MS);
    },
    text: () => counts.textContent ?? '',
  };
}

function countText({ matched, records, counts }: RecordList, selected: number): string {
  const many =
    matched === records
      ? plural(records, 'record', 'records')
      : `${formatCount(matched)} of ${plural(records, 'record', 'records')}`;
  const parts = [many, ...countsText(counts)];
  if (selected > 1) parts.push(`${formatCount(selected)} selected`);
  return parts.join(' · ');
}

function progressText({ progress: { checked, solutions, running }, records }: RecordList): string {
  if (checked < records) return `Checking … ${Math.floor((100 * checked) / records)} %`;
  if (!running) return '';
  return solutions.done < solutions.total
    ? `Running solutions … ${formatCount(solutions.done)} of ${formatCount(solutions.total)}`
    : 'Looking at documents …';
}
