/** The next and the previous problem by the editor's keys. */
import type { Host } from '../host.ts';

export function watchProblemKeys(host: Pick<Host, 'post'>): void {
  document.addEventListener('keydown', (event) => {
    if (event.key === 'F8' && !event.ctrlKey && !event.altKey && !event.metaKey) {
      event.preventDefault();
      host.post({ type: 'problem', step: event.shiftKey ? -1 : 1 });
    }
  });
}
