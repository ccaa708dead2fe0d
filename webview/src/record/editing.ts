/** Texts of the record edited where they stand: a field takes the place of the text, and stays whatever arrives meanwhile. */
import type { ChangeAnswer } from '../../../schemas/page.ts';
import type { TextSpan } from '../../../schemas/protocol.ts';
import type { EvidenceChange } from '../../../schemas/regions.ts';
import { html, setAttributes, setText } from '../dom.ts';
import { icon } from '../icons.ts';
import { keepTyped } from '../keys.ts';

/** A value, or a part of one, that can have another text. */
export interface Editable {
  /** The same over snapshots: `question`, `/paragraphs/3`, `/paragraphs/3 1 2`. */
  readonly key: string;
  readonly pointer: string;
  readonly inString?: TextSpan;
  /** What is edited, as it stands in the record. */
  readonly text: string;
  /** "the question", `row 2, column 3 of paragraphs[7]`. */
  readonly name: string;
  /** Enter saves; there are no line breaks. */
  readonly isOneLine: boolean;
}

/** A text that was typed and not saved. */
export interface Draft {
  readonly key: string;
  readonly was: string;
  readonly text: string;
}

export interface Editing {
  /** Puts a field into `home`, whose other children are hidden meanwhile. Where one is open, it gets the focus. */
  open(editable: Editable, home: HTMLElement): void;
  isOpen(key: string): boolean;
  /** What is edited may have changed, or be gone: each open field is told. */
  refresh(find: (key: string) => Editable | null): void;
  /** Closes all fields; what was typed and not saved. */
  stash(): readonly Draft[];
  /** What is typed and not saved by now. */
  drafts(): readonly Draft[];
  /** Opens a field with a text that was typed before. */
  restore(draft: Draft, editable: Editable, home: HTMLElement): void;
}

export interface EditingParts {
  change(change: EvidenceChange): Promise<ChangeAnswer>;
  /** A field is gone. `saved`: the text that is in the record from now on; null: it is as it was. */
  closed(editable: Editable, home: HTMLElement, saved: string | null): void;
  /** What is typed changed: it is worth keeping. */
  typed(): void;
  announce(words: string): void;
}

interface Field {
  editable: Editable;
  readonly home: HTMLElement;
  readonly element: HTMLElement;
  readonly input: HTMLInputElement | HTMLTextAreaElement;
  /** `null`: the value is gone. */
  update(editable: Editable | null): void;
  close(saved: string | null): void;
  isDirty(): boolean;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

export function createEditing({ change, closed, typed, announce }: EditingParts): Editing {
  const fields = new Map<string, Field>();

  function create(initial: Editable, home: HTMLElement): Field {
    const { isOneLine, name } = initial;
    const noteId = `note ${initial.key}`.replaceAll(/[^\w-]/gu, '-');
    const attributes = {
      class: 'edit-input',
      'aria-label': capital(name),
      'aria-describedby': noteId,
      spellcheck: 'true',
    };
    const input = isOneLine
      ? html('input', { ...attributes, type: 'text', autocomplete: 'off' })
      : html('textarea', { ...attributes, rows: 2 });
    input.value = initial.text;
    const note = html('p', { class: 'edit-note', id: noteId, role: 'alert' });
    const keys = isOneLine ? 'Enter' : 'Ctrl+Enter';
    const save = html('button', { type: 'button', class: 'action', title: keys }, 'Save');
    const cancel = html('button', { type: 'button', class: 'action quiet', title: 'Escape' }, 'Cancel');
    const hint = html('span', { class: 'dim edit-hint', 'aria-hidden': 'true' }, `${keys} saves, Escape cancels`);
    const buttons = html('div', { class: 'edit-actions' }, save, cancel, hint);
    const element = html(
      'div',
      { class: `edit${isOneLine ? ' edit-line' : ''}`, role: 'group', 'aria-label': `Edit ${name}` },
      input,
      note,
      buttons,
    );
    let isBusy = false;
    let isGone = false;

    function setBusy(busy: boolean): void {
      isBusy = busy;
      input.readOnly = busy;
      setAttributes(save, { 'aria-disabled': busy || isGone ? 'true' : null });
    }

    const field: Field = {
      editable: initial,
      home,
      element,
      input,
      update(next) {
        isGone = next === null;
        setBusy(isBusy);
        if (next === null) {
          setText(note, 'The record has no such text any more. What was typed can be copied from here.');
          return;
        }
        const before = field.editable;
        field.editable = next;
        if (!isBusy && next.text !== before.text) {
          if (input.value === before.text) {
            input.value = next.text;
          } else if (input.value !== next.text) {
            setText(
              note,
              `It has been changed in the file meanwhile, to: ${next.text}. Saving puts this in its place.`,
            );
          }
        }
      },
      close(saved) {
        const hadFocus = element.contains(document.activeElement);
        fields.delete(field.editable.key);
        element.remove();
        home.classList.remove('editing');
        closed(field.editable, home, saved);
        typed();
        if (hadFocus && document.activeElement === document.body) {
          home.querySelector<HTMLElement>('.edit-button')?.focus({ preventScroll: true });
        }
      },
      isDirty: () => input.value !== field.editable.text,
    };

    async function trySave(): Promise<void> {
      if (isBusy || isGone) return;
      const text = input.value;
      const { pointer, inString, text: was } = field.editable;
      if (text === was) {
        field.close(null);
        return;
      }
      setBusy(true);
      setText(note, '');
      let problem = '';
      try {
        const answer = await change({ kind: 'text', pointer, ...(inString && { inString }), was, text });
        if (answer.done) {
          announce(`${capital(field.editable.name)} is saved.`);
        } else {
          problem = answer.problem;
        }
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error);
      }
      setBusy(false);
      if (problem === '') {
        if (fields.get(field.editable.key) === field) field.close(text);
      } else {
        setText(note, `Not saved: ${problem}`);
        input.focus({ preventScroll: true });
      }
    }

    save.addEventListener('click', () => void trySave());
    cancel.addEventListener('click', () => field.close(null));
    input.addEventListener('input', typed);
    element.addEventListener('dblclick', (event) => event.stopPropagation());
    element.addEventListener('keydown', (event) => {
      const { key } = event;
      keepTyped(event);
      if (event.isComposing) return;
      const isSaving = key === 'Enter' && (event.ctrlKey || event.metaKey || (isOneLine && event.target === input));
      if (isSaving) {
        event.preventDefault();
        event.stopPropagation();
        void trySave();
      } else if (key === 'Escape') {
        event.preventDefault();
        field.close(null);
      }
    });
    return field;
  }

  function show(editable: Editable, home: HTMLElement): Field {
    const known = fields.get(editable.key);
    if (known !== undefined) return known;
    const field = create(editable, home);
    fields.set(editable.key, field);
    home.classList.add('editing');
    home.append(field.element);
    return field;
  }

  const drafts = (): Draft[] =>
    [...fields].flatMap(([key, field]) =>
      field.isDirty() ? [{ key, was: field.editable.text, text: field.input.value }] : [],
    );

  return {
    open(editable, home) {
      const { input } = show(editable, home);
      input.focus();
      if (editable.isOneLine) input.select();
    },
    isOpen: (key) => fields.has(key),
    refresh(find) {
      for (const [key, field] of fields) field.update(find(key));
    },
    stash() {
      const kept = drafts();
      for (const { element, home } of fields.values()) {
        element.remove();
        home.classList.remove('editing');
      }
      fields.clear();
      return kept;
    },
    drafts,
    restore({ was, text }, editable, home) {
      const field = show({ ...editable, text: was }, home);
      field.input.value = text;
      field.update(editable);
    },
  };
}

/** The way into a field, beside the text. */
export function editButton(name: string, open: () => void): HTMLButtonElement {
  const words = `Edit ${name}`;
  const button = html(
    'button',
    { type: 'button', class: 'tool edit-button', 'aria-label': words, title: words },
    icon('edit'),
  );
  button.addEventListener('click', open);
  return button;
}
