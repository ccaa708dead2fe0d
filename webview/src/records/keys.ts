/** The keyboard on the table. */
import type { BulkAction } from '../../../schemas/records-page.ts';

export interface GridKeys {
  readonly position: number;
  readonly matched: number;
  readonly pageRows: number;
  move(position: number, extend: boolean): void;
  toggle(): void;
  selectAll(): void;
  open(): void;
  preview(): void;
  edit(): void;
  solution(): void;
  run(): void;
  fix(): void;
  accept(): void;
  problem(step: 1 | -1): void;
  search(): void;
  bulk(action: BulkAction): void;
}

/** Whether the event meant something here. */
export function handleGridKey(event: KeyboardEvent, keys: GridKeys): boolean {
  const { key, shiftKey } = event;
  const control = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    const moved = control ? undefined : MOVES[`${shiftKey ? 'Shift+' : ''}${key}`];
    if (moved !== undefined) keys.bulk(moved);
    return moved !== undefined;
  }
  if (control) {
    if (key.toLowerCase() === 'a') keys.selectAll();
    else if (key === ' ') keys.toggle();
    else if (key === 'Home') keys.move(0, shiftKey);
    else if (key === 'End') keys.move(keys.matched - 1, shiftKey);
    else return false;
    return true;
  }
  const target = targetOf(key, keys);
  if (target !== undefined) {
    keys.move(Math.max(0, Math.min(target, keys.matched - 1)), shiftKey);
    return true;
  }
  const act = ACTIONS[key.length === 1 ? key.toLowerCase() : key];
  if (act === undefined) return false;
  act(keys, shiftKey);
  return true;
}

function targetOf(key: string, { position, matched, pageRows }: GridKeys): number | undefined {
  switch (key) {
    case 'ArrowDown':
      return position + 1;
    case 'ArrowUp':
      return position === -1 ? matched - 1 : position - 1;
    case 'PageDown':
      return position + pageRows;
    case 'PageUp':
      return position - pageRows;
    case 'Home':
      return 0;
    case 'End':
      return matched - 1;
    default:
      return undefined;
  }
}

/** With Alt, as for lines in the editor. */
const MOVES: Readonly<Record<string, BulkAction>> = {
  ArrowUp: 'moveUp',
  ArrowDown: 'moveDown',
  'Shift+ArrowDown': 'duplicate',
};

const ACTIONS: Readonly<Record<string, (keys: GridKeys, shift: boolean) => void>> = {
  Enter: (keys) => keys.open(),
  ' ': (keys) => keys.preview(),
  e: (keys) => keys.edit(),
  s: (keys) => keys.solution(),
  r: (keys) => keys.run(),
  f: (keys) => keys.fix(),
  a: (keys) => keys.accept(),
  n: (keys, shift) => keys.problem(shift ? -1 : 1),
  p: (keys) => keys.problem(-1),
  '/': (keys) => keys.search(),
  Delete: (keys) => keys.bulk('delete'),
};
