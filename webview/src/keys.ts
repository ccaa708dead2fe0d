/** The keyboard, beside Tab and Enter. */

export interface KeyActions {
  page(step: 1 | -1): void;
  record(step: 1 | -1): void;
  zoom(step: 1 | -1): void;
  actualSize(): void;
  fitWidth(): void;
}

/** Whether the event meant something here. */
export function handleKey(event: KeyboardEvent, actions: KeyActions): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return false;
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
    default:
      return false;
  }
}
