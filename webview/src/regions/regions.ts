/** Everything that corrects regions, put together: the tools, the list twin, proposals, and the text inside. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { ViewState } from '../host.ts';
import type { Disclosure } from '../judging.ts';
import { createRegionBar } from './bar.ts';
import type { RegionEditor, RegionEditorParts } from './editor.ts';
import { createRegionEditor } from './editor.ts';
import { handleRegionKey } from './keys.ts';

export interface Regions {
  readonly editor: RegionEditor;
  /** Stands above the pages. */
  readonly bar: HTMLElement;
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
  empty(): void;
  select(pointers: ReadonlySet<string>): void;
  /** Whether the key meant something here. Comes before the other keys. */
  key(event: KeyboardEvent): boolean;
  offerService(on: boolean): void;
  state(): NonNullable<ViewState['regions']>;
}

export function createRegions(parts: RegionEditorParts): Regions {
  const { host } = parts;
  const editor = createRegionEditor(parts);
  const documentPages = () =>
    host.ask('documentPages', { index: editor.changes.evidence()?.index ?? 0 }).catch(() => null);
  const bar = createRegionBar(editor, documentPages, { propose: () => {}, showText: () => {} });

  function chooseLabel(at: number): void {
    const item = editor.selected();
    const label = editor.changes.evidence()?.labels?.[at];
    if (item !== null && label !== undefined) {
      editor.relabel(item, label);
    }
  }

  return {
    editor,
    bar: bar.element,
    update: editor.update,
    empty: editor.empty,
    select: editor.select,
    key: (event) =>
      handleRegionKey(
        event,
        editor,
        { propose: () => {}, focusLabel: () => bar.details.focusLabel(), showText: () => {}, chooseLabel },
        parts.pages,
      ),
    offerService: bar.offerService,
    state: () => ({ snap: editor.snap(), listed: false }),
  };
}
