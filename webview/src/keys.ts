/** The keyboard, beside Tab and Enter. */

export interface KeyActions {
  page(step: 1 | -1): void;
  record(step: 1 | -1): void;
  zoom(step: 1 | -1): void;
  actualSize(): void;
  fitWidth(): void;
  /** Evidence alone, or everything again. */
  evidenceOnly(): void;
  /** Answer and solution, where the evidence is alone. */
  answer(): void;
  thumbnails(): void;
  allPages(): void;
  onePage(): void;
  textTool(): void;
  goTo(): void;
  coordinates(): void;
}

/** Where letters are typed, keys mean letters. */
export function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input:not([type=checkbox]), textarea, select'))
  );
}

/** For a field: what is typed there is no key of the preview. Keys of the editor around it, which lead out of the field, go on. */
export function keepTyped(event: KeyboardEvent): void {
  const isCommand = event.ctrlKey || event.altKey || event.metaKey || /^F\d+$/u.test(event.key);
  if (!isCommand) {
    event.stopPropagation();
  }
}

/** Whether the event meant something here. */
export function handleKey(event: KeyboardEvent, actions: KeyActions): boolean {
  if (event.ctrlKey || event.metaKey || isTyping(event.target)) {
    return false;
  }
  if (event.altKey) {
    // As in the editor.
    const step = event.key === 'PageDown' ? 1 : event.key === 'PageUp' ? -1 : 0;
    if (step !== 0) {
      actions.record(step);
    }
    return step !== 0;
  }
  switch (event.key) {
    case 'PageDown':
    case 'n':
      actions.page(1);
      return true;
    case 'PageUp':
    case 'p':
      actions.page(-1);
      return true;
    case 'N':
      actions.record(1);
      return true;
    case 'P':
      actions.record(-1);
      return true;
    case '+':
    case '=':
      actions.zoom(1);
      return true;
    case '-':
    case '−':
      actions.zoom(-1);
      return true;
    case '0':
      actions.actualSize();
      return true;
    case 'f':
      actions.fitWidth();
      return true;
    case 'e':
      actions.evidenceOnly();
      return true;
    case 'a':
      actions.answer();
      return true;
    case 'b':
      actions.thumbnails();
      return true;
    case 'w':
      actions.allPages();
      return true;
    case 'o':
      actions.onePage();
      return true;
    case 't':
      actions.textTool();
      return true;
    case 'g':
      actions.goTo();
      return true;
    case 'x':
      actions.coordinates();
      return true;
    default:
      return false;
  }
}
