/** The keyboard on regions. docs/regions.md has the table. */
import { isTyping } from '../keys.ts';
import type { RegionEditor } from './editor.ts';
import type { Point } from './geometry.ts';
import { stepOf } from './geometry.ts';

/** What else keys reach: things that stand beside the pages. */
export interface RegionKeyActions {
  propose(): void;
  focusLabel(): void;
  showText(): void;
  copyText(): void;
  /** Takes away what lies over the page. Whether there was something. */
  leave(): boolean;
  /** 0-based among the labels that can be chosen. */
  chooseLabel(at: number): void;
}

const ARROWS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** Whether the event meant something for a region. */
export function handleRegionKey(
  event: KeyboardEvent,
  editor: RegionEditor,
  actions: RegionKeyActions,
  pages: HTMLElement,
): boolean {
  if (!editor.enabled() || event.defaultPrevented) {
    return false;
  }
  if (event.key === 'Escape') {
    return editor.escape() || actions.leave();
  }
  if (isTyping(event.target)) {
    return false;
  }
  const arrow = ARROWS[event.key];
  if (arrow !== undefined) {
    return handleArrow(event, arrow, editor, pages);
  }
  return event.ctrlKey || event.metaKey
    ? handleCommand(event, editor, actions, pages)
    : !event.altKey && handlePlain(event, editor, actions, pages);
}

function onRegion(target: EventTarget | null, pages: HTMLElement): boolean {
  return target instanceof Element && pages.contains(target) && target.closest('.overlay') !== null;
}

/** The focus is on no control of its own. */
function isFree(target: EventTarget | null, pages: HTMLElement): boolean {
  return (
    target === document.body || (target instanceof Element && target.matches('.scroller')) || onRegion(target, pages)
  );
}

function handleArrow(event: KeyboardEvent, arrow: Point, editor: RegionEditor, pages: HTMLElement): boolean {
  const item = editor.selected();
  if (item === null || !onRegion(event.target, pages)) {
    return false;
  }
  const command = event.ctrlKey || event.metaKey;
  if (event.altKey && event.shiftKey && arrow.y !== 0) {
    editor.reorder(arrow.y > 0 ? 1 : -1);
    return true;
  }
  const step = stepOf(item.page.units);
  const times = event.shiftKey ? 10 : 1;
  const by = { x: arrow.x * step.x * times, y: arrow.y * step.y * times };
  if (event.altKey) {
    editor.nudgeEdge(arrow.x === 0 ? 's' : 'e', by);
  } else if (command) {
    editor.nudgeEdge(arrow.x === 0 ? 'n' : 'w', by);
  } else {
    editor.nudge(by);
  }
  return true;
}

function handleCommand(
  event: KeyboardEvent,
  editor: RegionEditor,
  actions: RegionKeyActions,
  pages: HTMLElement,
): boolean {
  switch (event.key.toLowerCase()) {
    case 'z':
      editor.undo(event.shiftKey);
      return true;
    case 'y':
      editor.undo(true);
      return true;
    case 'd':
      editor.duplicate();
      return true;
    case 'c':
      if (onRegion(event.target, pages) && document.getSelection()?.isCollapsed !== false) {
        actions.copyText();
        return true;
      }
      return false;
    default:
      return false;
  }
}

function handlePlain(
  event: KeyboardEvent,
  editor: RegionEditor,
  actions: RegionKeyActions,
  pages: HTMLElement,
): boolean {
  if (/^[1-9]$/u.test(event.key) && editor.selected() !== null) {
    actions.chooseLabel(Number(event.key) - 1);
    return true;
  }
  switch (event.key) {
    case 'r':
      editor.tool().toggle('draw');
      return true;
    case 'R':
      actions.propose();
      return true;
    case 'Enter':
      if (editor.tool().current() === 'draw' && isFree(event.target, pages)) {
        editor.addInMiddle();
        return true;
      }
      return false;
    case 'Delete':
    case 'Backspace':
      if (editor.selected() === null || !isFree(event.target, pages)) {
        return false;
      }
      editor.remove();
      return true;
    case 's':
      editor.fit('snap');
      return editor.selected() !== null;
    case 'g':
      // Elsewhere it goes to a page.
      if (isFree(event.target, pages) && !onRegion(event.target, pages)) {
        return false;
      }
      editor.fit('grow');
      return editor.selected() !== null;
    case 'k':
      editor.fit('shrink');
      return editor.selected() !== null;
    case 'l':
      actions.focusLabel();
      return editor.selected() !== null;
    case 'i':
      actions.showText();
      return editor.selected() !== null;
    default:
      return false;
  }
}
