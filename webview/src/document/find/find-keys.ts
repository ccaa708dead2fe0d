/** The keys of the search, heard before the editor around the page: its own search knows nothing of pages that are not drawn. */
import type { Find } from './find.ts';

export function watchFindKeys(find: Pick<Find, 'open' | 'isOpen' | 'step'>): void {
  document.addEventListener(
    'keydown',
    (event) => {
      const isFind = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key === 'f';
      const isNext = event.key === 'F3' && find.isOpen();
      if (isFind) {
        find.open();
      } else if (isNext) {
        find.step(event.shiftKey ? -1 : 1);
      }
      if (isFind || isNext) {
        event.preventDefault();
        event.stopPropagation();
      }
    },
    { capture: true },
  );
}
