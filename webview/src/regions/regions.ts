/** Everything that corrects regions, put together: the tools, the list twin, proposals, and the text inside. */
import type { ShownEvidence } from '../../../schemas/page.ts';
import type { Cropping } from '../cropping.ts';
import type { ViewState } from '../host.ts';
import type { Disclosure } from '../judging.ts';
import { createRegionBar } from './bar.ts';
import type { DocumentPages } from './details.ts';
import type { RegionEditor, RegionEditorParts } from './editor.ts';
import { createRegionEditor } from './editor.ts';
import { createInsidePanel } from './inside.ts';
import { handleRegionKey } from './keys.ts';
import { createRegionList } from './list.ts';
import { pictureOf } from './page-picture.ts';
import { createProposals } from './proposals.ts';

export interface Regions {
  readonly editor: RegionEditor;
  /** Stands above the pages. */
  readonly bar: HTMLElement;
  /** The list of the regions. */
  readonly list: HTMLElement;
  update(evidence: ShownEvidence, disclosure: Disclosure): void;
  empty(): void;
  select(pointers: ReadonlySet<string>): void;
  /** Whether the key meant something here. Comes before the other keys. */
  key(event: KeyboardEvent): boolean;
  /** Regions can be proposed by a service, too. */
  offerService(on: boolean): void;
  state(): NonNullable<ViewState['regions']>;
}

export interface RegionParts extends RegionEditorParts {
  readonly cropping: Pick<Cropping, 'copy' | 'save'>;
  /** Runs a change of the bar's height, so that what is seen below it stays where it is. */
  steadily(change: () => void): void;
}

export function createRegions(parts: RegionParts): Regions {
  const { host, announce, save, scroller } = parts;
  const editor = createRegionEditor(parts);
  const problem = (message: string): void => bar.showProblem(message);
  const proposals = createProposals({ host, editor, scroller, announce, problem });
  const inside = createInsidePanel(host, editor, announce, problem);
  const documentPages: DocumentPages = ({ uri, index }) => host.ask('documentPages', { uri, index }).catch(() => null);
  const propose = (service: boolean): void => void proposals.toggle(service ? pictureOf : undefined);
  const showText = (): void => void inside.show();
  const crop = (how: 'copy' | 'save') => (): void => {
    const item = editor.selected();
    const place = item === null ? null : editor.changes.placeOf(item);
    if (item !== null && place !== null) {
      const { page, number, region } = item;
      parts.cropping[how]({ page: page.number, place, number, label: region.label });
    }
  };
  const [copyCrop, saveCrop] = [crop('copy'), crop('save')];
  const barActions = { propose, showText, copyCrop, saveCrop };
  const bar = createRegionBar(editor, documentPages, barActions, parts.steadily);
  bar.messages.append(inside.element);
  const list = createRegionList(editor, documentPages, parts.kept?.listed ?? false, {
    showText,
    copyCrop,
    saveCrop,
    save,
  });

  function chooseLabel(at: number): void {
    const item = editor.selected();
    const label = editor.changes.evidence()?.labels?.[at];
    if (item !== null && label !== undefined) {
      editor.relabel(item, label);
    }
  }

  const keyActions = {
    propose: () => propose(false),
    focusLabel: () => bar.details.focusLabel(),
    showText,
    copyText: () => void inside.copy(),
    chooseLabel,
    leave: () => inside.close() || proposals.leave(),
  };

  return {
    editor,
    bar: bar.element,
    list: list.element,
    update: editor.update,
    empty: editor.empty,
    select: editor.select,
    key: (event) => handleRegionKey(event, editor, keyActions, parts.pages),
    offerService: bar.offerService,
    state: () => ({ snap: editor.snap(), listed: list.isOpen() }),
  };
}
