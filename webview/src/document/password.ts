/** Asking for a document's password where its page would be. It is handed on once and kept nowhere. */
import { html, setAttributes, setText } from '../dom.ts';
import { keepTyped } from '../keys.ts';

export interface PasswordForm {
  readonly element: HTMLElement;
  /** `wrong`: the one that was tried. */
  ask(wrong: boolean): void;
}

let forms = 0;

/** `unlock` rejects where the password does not open the document; whoever shows the form asks again then. */
export function createPasswordForm(unlock: (password: string) => Promise<void>): PasswordForm {
  forms += 1;
  const id = `password-${forms}`;
  // No name and no completion: nothing offers to remember it.
  const input = html('input', { id, type: 'password', class: 'password', autocomplete: 'off', spellcheck: 'false' });
  const open = html('button', { type: 'submit', class: 'action' }, 'Open');
  const label = html('label', { for: id }, 'Password of the document');
  const element = html('form', { class: 'password-form', hidden: true }, label, html('div', {}, input, open));

  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const password = input.value;
    if (password === '' || open.getAttribute('aria-disabled') !== null) {
      input.focus();
      return;
    }
    input.value = '';
    setAttributes(open, { 'aria-disabled': 'true' });
    unlock(password).then(
      () => setAttributes(open, { 'aria-disabled': null }),
      () => {
        setAttributes(open, { 'aria-disabled': null });
        input.focus();
      },
    );
  });
  element.addEventListener('keydown', keepTyped);

  return {
    element,
    ask(wrong) {
      element.hidden = false;
      setText(label, wrong ? 'Another password' : 'Password of the document');
      setAttributes(input, { 'aria-invalid': wrong ? 'true' : null });
    },
  };
}
