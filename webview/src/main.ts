/** The evidence preview: shows what it is sent, says what was chosen, and keeps its place. Everything is put together here. */
import type { ToPage } from '../../schemas/page.ts';
import { createCoordinates } from './coordinates/coordinates.ts';
import { createCropping } from './cropping.ts';
import { createCiting } from './document/citing.ts';
import { createControls } from './document/controls.ts';
import { createConverter } from './document/converter.ts';
import { createDocumentView } from './document/document.ts';
import { watchFindKeys } from './document/find/find-keys.ts';
import { createFind } from './document/find/find.ts';
import { createPictures } from './document/pictures.ts';
import { createSelectionBar } from './document/selection-bar.ts';
import { createThumbnails } from './document/thumbnails.ts';
import { html, setText } from './dom.ts';
import { connectHost } from './host.ts';
import { handleKey } from './keys.ts';
import { createLayout } from './layout.ts';
import { createPageSection } from './pages.ts';
import { createPdfEngine } from './pdf.ts';
import { createPlace } from './place.ts';
import { createRecordPanel } from './record/panel.ts';
import { watchProblemKeys } from './record/problem-keys.ts';
import { createTracing } from './record/tracing.ts';
import { createRegions } from './regions/regions.ts';
import { createSelection } from './selection.ts';
import { createShowing } from './showing.ts';
import { createTool } from './tool.ts';
import { createToolbar } from './toolbar.ts';

/** Device px of pages that are shown, and of pages that went far away. */
const MOST_SHOWN = 64e6;
const MOST_KEPT = 5e6;

const host = connectHost();
const { resources = '', timeoutMs = '30000' } = document.body.dataset;
const saved = host.loadState();

const log = (message: string): void => host.post({ type: 'log', level: 'warning', message });
const engine = createPdfEngine(resources, Number(timeoutMs), log);
const announcer = html('p', { class: 'sr-only', role: 'status' });
const announce = (words: string): void => setText(announcer, words);

const pictures = createPictures(MOST_KEPT, MOST_SHOWN);
const tool = createTool();
const controls = createControls({
  strip: () => documents.toggleStrip(),
  allPages: () => documents.toggleAllPages(),
  onePage: () => documents.toggleOnePage(),
  textTool: () => tool.toggle('text'),
  find: () => find.open(),
  goTo: (words) => documents.goToNamed(words),
});
const convert = createConverter(host, (source) => documents.placeOf(source));
const citing = createCiting({ host, evidence: () => showing.evidence(), announce });
const cropping = createCropping({ host, evidence: () => showing.evidence(), announce });
const toolbar = createToolbar(
  {
    record: stepRecord,
    page: (step) => place.stepPage(step),
    zoom: (step) => place.stepZoom(step),
    zoomTo: (zoom) => place.zoomTo(zoom),
    evidenceOnly: () => showing.toggleEvidenceOnly(),
  },
  controls.element,
);
const panel = createRecordPanel({
  host,
  select: (pointer) => selection.choose(pointer),
  goTo: (pointer) => selection.goTo(pointer),
  find: (number, at) => selection.findNumber(number, at),
  selectNumber: (number, at) => selection.chooseNumber(number, at),
  reveal: () => showing.toggleAnswer(),
  announce,
  moved: save,
  drafts: saved?.drafts ?? {},
});
const sheet = panel.element;
const layout = createLayout({ sheet, around: (change) => place.keeping(change), moved: save }, saved ?? {});
const { scroller } = layout;
const place = createPlace(
  {
    scroller,
    pages: () => pages,
    toolbar: {
      ...toolbar,
      showPage(...page) {
        toolbar.showPage(...page);
        documents.showCurrent();
      },
    },
    landmarks: () => (layout.isBeside() ? [] : sheet.querySelectorAll('.block')),
    moved: save,
  },
  saved?.zoom ?? 'fit',
);
const pages = createPageSection(
  scroller,
  {
    select: (pointer) => selection.choose(pointer),
    selectNumber: (number, at) => selection.chooseNumber(number, at),
    openDocument: (page) => host.post({ type: 'openDocument', page }),
    citePage: (page) => void citing.change({ kind: 'citePage', page }),
    turned: () => place.relayout(),
    cropping,
  },
  {
    engine,
    pictures,
    convert,
    timeoutMs: Number(timeoutMs),
    onSized: () => place.relayout(),
    onText: () => find.refresh(),
    log,
  },
);
const documents = createDocumentView(
  {
    host,
    engine,
    pictures,
    thumbnails: createThumbnails(engine, convert),
    pages: () => pages,
    place: () => place,
    restore() {
      const shown = showing.evidence();
      if (saved !== null && shown?.uri === saved.uri && shown.index === saved.index) {
        place.restore(saved);
      }
    },
    focusPages: () => scroller.focus({ preventScroll: true }),
    changed: showControls,
    announce,
  },
  saved?.document,
);
const find = createFind({
  engine,
  sheet,
  entries: documents.pages,
  cards: () => pages.allCards(),
  current: place.card,
  goTo: documents.goTo,
  scrollerOf: layout.scrollerOf,
  selectText: () => tool.choose('text'),
  announce,
});
const selectionBar = createSelectionBar(() => pages.allCards(), {
  addRegion: citing.region,
  newRecord: citing.record,
  copy: (text) => host.post({ type: 'copy', text }),
});
const tracing = createTracing([sheet, pages.element]);
const selection = createSelection({
  host,
  evidence: () => showing.evidence(),
  pages: () => pages,
  panel: () => panel,
  tracing: () => tracing,
  scrollerOf: layout.scrollerOf,
  announce,
  marked: (pointers) => {
    regions.select(pointers);
    coordinates.select(pointers);
    cropping.select(pointers);
  },
});
const coordinates = createCoordinates({ host, announce, bring: selection.bring, changed: save }, saved ?? {});
const regions = createRegions({
  host,
  pages: pages.element,
  scroller,
  tool,
  cropping,
  choose: (pointer) => selection.choose(pointer),
  announce,
  kept: saved?.regions,
  save,
  steadily: layout.steadily,
});
const showing = createShowing(
  {
    sections: [
      panel.update,
      (shown) => layout.setPages(shown.pages.length > 0),
      (shown, disclosure) => documents.update(shown, disclosure !== 'all'),
      find.shown,
      regions.update,
      coordinates.update,
    ],
    empty() {
      panel.clear();
      documents.update(null, false);
      regions.empty();
      coordinates.update(null);
    },
    content: [layout.element, scroller],
    toolbar,
    place: () => place,
    keeping: (change) => layout.keeping(() => place.keeping(change)),
    toTop: () => {
      layout.toTop();
      place.toTop();
    },
    selection: () => selection,
    announce,
    save,
  },
  saved,
);

scroller.append(pages.element);
sheet.append(regions.list);
scroller.before(documents.strip);
tool.watch(showControls);
showControls();
controls.element.append(coordinates.button);
document.body.append(
  toolbar.element,
  coordinates.element,
  regions.bar,
  ...showing.elements,
  find.element,
  layout.element,
  selectionBar,
  announcer,
);

function showControls(): void {
  const { strip, scope, flow } = documents.state();
  controls.show({ strip, allPages: scope === 'all', onePage: flow === 'single', textTool: tool.current() === 'text' });
  save();
}

function stepRecord(step: 1 | -1): void {
  const evidence = showing.evidence();
  const target = evidence === null ? -1 : evidence.index + step;
  if (evidence !== null && target >= 0 && target < evidence.records) {
    host.post({ type: 'record', step });
  }
}

function save(): void {
  const evidence = showing.evidence();
  if (evidence !== null) {
    const { uri, index } = evidence;
    host.saveState({
      version: 1,
      uri,
      index,
      ...place.state(),
      ...layout.state(),
      ...showing.state(),
      document: documents.state(),
      regions: regions.state(),
      ...coordinates.state(),
      ...panel.state(),
    });
  }
}

host.onMessage((message: ToPage) => {
  switch (message.type) {
    case 'show':
      showing.show(message.evidence, message.message ?? '');
      break;
    case 'cursor':
      selection.follow(message.pointer, message.at ?? null, 'changed');
      break;
    case 'evidenceOnly':
      showing.evidenceOnly(true);
      break;
    case 'saveCrop':
      cropping.saveSelected();
      break;
    case 'options':
      regions.offerService(message.service);
      break;
  }
});

watchFindKeys(find);

document.addEventListener('keydown', (event) => {
  const handled =
    regions.key(event) ||
    handleKey(event, {
      page: place.stepPage,
      record: stepRecord,
      zoom: place.stepZoom,
      actualSize: () => place.zoomTo(1),
      fitWidth: () => place.zoomTo('fit'),
      evidenceOnly: showing.toggleEvidenceOnly,
      answer: showing.toggleAnswer,
      thumbnails: documents.toggleStrip,
      allPages: documents.toggleAllPages,
      onePage: documents.toggleOnePage,
      textTool: () => tool.toggle('text'),
      goTo: controls.focusGoTo,
      coordinates: coordinates.toggle,
    });
  if (handled) {
    event.preventDefault();
    // The editor around the page hears what reaches the window: Alt+Left would also go back there.
    event.stopPropagation();
  }
});

watchProblemKeys(host);

new ResizeObserver(() => place.relayout()).observe(scroller);

host.post({ type: 'ready' });
engine.warm();
