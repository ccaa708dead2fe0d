import type { DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { count, listNames, placeOfElement, relativeTo } from './messages.ts';
import type { RecordInput, Reducer, Rule } from './types.ts';

/** Documents that are missing or cannot be read: told once per document, or once per file where nothing is configured. */

function example(doc_name: string, note: string) {
  const record = {
    query: 'Which row of the table has the largest total?',
    answer: 'North',
    doc_name,
    evidence_page: [2],
    bbox: [[[300, 600, 2100, 1500]]],
    subimg_type: [['table']],
    category: 'cs',
  };
  return { profile: 'sciegqa', lines: [record], note };
}

function pdfExample(doc_id: string, note: string) {
  const record = {
    doc_id,
    doc_type: 'Report',
    question: 'How many parcels did North handle?',
    answer: '2550',
    evidence_pages: '[2]',
    evidence_sources: "['Table']",
    answer_format: 'Int',
  };
  return { profile: 'mmlongbench-doc', lines: [record], note };
}

export const documentMissingRule: Rule = {
  code: 'page/document-missing',
  severity: 'error',
  needs: 'file',
  title: 'The document of a record is not where it should be',
  why: `The configuration says where PDFs or page images lie (\`pdf\`, \`pageImage\`), and the document that the record names is not there. It is told once per document, at the first record that names it. Pages and boxes of such records cannot be checked.

Likely causes: the file was never downloaded, the name differs in case or version, or the location does not fit. Names that lead out of the folder of the configuration (\`..\`, absolute paths, links) are refused.

Without configured locations, documents are looked for in the dataset's published layouts; then only one information per file says how many were found and where was looked.`,
  fires: example('demo-missing', 'documents/demo-missing.pdf does not exist.'),
  quiet: example('demo-doc', 'documents/demo-doc.pdf exists.'),
  digest: (input, document) => {
    if (document === undefined) return undefined;
    return input.settings.locationsConfigured ? missingItem(input, document) : recognisedItem(input, document);
  },
  reduce: (settings) => (settings.locationsConfigured ? reduceConfigured() : reduceRecognised(settings)),
};

export const documentUnreadableRule: Rule = {
  code: 'page/document-unreadable',
  severity: 'error',
  needs: 'file',
  title: 'A document or page image is there but cannot be read',
  why: `The file was found, but it is empty, damaged, encrypted, or not what its name says. It is told once per file, at the first record that needs it; pages and boxes cannot be checked against it. That the pixels of a page image are damaged shows when they are needed: it is told at each record that needs them. Images that are only too large to be decoded here, or take too long, are an information.

A download that broke off leaves such files, and so does version control with large-file storage whose content was not fetched: the file then holds a few lines of text. Fetch it again. Remove the password of an encrypted PDF.`,
  fires: pdfExample('demo-doc_1.png', 'documents/demo-doc_1.png is an image and not a PDF.'),
  quiet: pdfExample('demo-doc.pdf', 'documents/demo-doc.pdf is a PDF of three pages.'),
  // Without configured locations a damaged file is part of page/document-missing's one information.
  digest: (input, document) =>
    document === undefined || !input.settings.locationsConfigured ? undefined : unreadableItems(input, document),
  reduce: () => reduceUnreadable(),
  checkPage({ record, settings, pages }, report) {
    for (const [page, { imageFault }] of pages) {
      if (imageFault === undefined) continue;
      const { path, reason, isLimit } = imageFault;
      const name = relativeTo(settings.base, path);
      report({
        ...placeOfPage(record, page),
        message: `${name} ${reason}. What the page shows cannot be checked against it.`,
        found: name,
        ...(isLimit && { severity: 'info' }),
      });
    }
  },
};

interface Fault {
  readonly index: number;
  readonly pointer: string;
  readonly message: string;
  readonly found: string;
  /** How many further records have the same fault. */
  more: number;
}

/** Documents that lack something: those of a reason are told together. */
interface MissingItem {
  readonly name: string;
  readonly reason: string;
  /** Whether it is so for every record of the document. */
  readonly ofDocument: boolean;
  readonly pointer: string;
  readonly message: string;
  readonly found: string;
}

function missingItem({ record, settings }: RecordInput, document: DocumentFacts): MissingItem | undefined {
  const reason = whyMissing(document, settings);
  if (reason === undefined) return undefined;
  const { name } = document;
  const { text, ofDocument } = reason;
  return { name, reason: text, ofDocument, pointer: pointerTo(record, 'document'), ...reason.say(name) };
}

function reduceConfigured(): Reducer<MissingItem> {
  const seen = new Set<string>();
  const faults = new Map<string, Fault>();
  return {
    add({ name, reason, ofDocument, pointer, message, found }, { index }) {
      // Whether page images exist is known for cited pages only: another record may tell more.
      if (seen.has(name)) return;
      if (ofDocument) seen.add(name);
      const known = faults.get(reason);
      if (known !== undefined) known.more += 1;
      else faults.set(reason, { index, pointer, message, found, more: 0 });
    },
    end(report) {
      for (const { index, pointer, message, found, more } of faults.values()) {
        const others = more === 0 ? '' : ` So it is for ${count(more, 'further record')}.`;
        report(index, { pointer, message: message + others, found });
      }
    },
  };
}

interface Reason {
  /** The same for records that are told together: those that lack what the location needs. */
  readonly text: string;
  /** Whether it is so for every record of the document. */
  readonly ofDocument: boolean;
  say(name: string): { readonly message: string; readonly found: string };
}

function whyMissing(document: DocumentFacts, settings: FileSettings): Reason | undefined {
  const { name, pdf, images, imageNumbers, context } = document;
  if (context?.state === 'refused') return refused(context.reason);
  if (context?.state === 'missing') {
    const looked = listNames(context.looked.map((path) => relativeTo(settings.base, path)));
    return missing(name, looked === '' ? '' : `: no ${looked}`);
  }
  if (pdf?.state === 'refused') return refused(pdf.reason);
  if (pdf?.state === 'missing') {
    const looked = listNames(pdf.looked.map((path) => relativeTo(settings.base, path)));
    return missing(name, looked === '' ? '' : `: no ${looked}`);
  }
  if (images === undefined || pdf !== undefined) return undefined;
  const states = [...images.values()];
  const outside = states.find((image) => image.state === 'refused');
  if (outside?.state === 'refused') return refused(outside.reason);
  const first = states[0];
  const none = states.every((image) => image.state === 'missing') && (imageNumbers ?? []).length === 0;
  if (!none || first?.state !== 'missing') return undefined;
  return missing(name, `: no image of its pages, such as ${relativeTo(settings.base, first.looked[0] ?? '')}`);
}

function refused(reason: string): Reason {
  return {
    text: reason,
    ofDocument: false,
    say: () => ({ message: `The document is not looked for: ${reason}.`, found: reason }),
  };
}

function missing(name: string, where: string): Reason {
  return {
    text: `${name}${where}`,
    ofDocument: true,
    say: () => ({ message: `The document "${name}" is not there${where}.`, found: name }),
  };
}

/** Name, whether anything of it was found, and what could not be read. */
type RecognisedItem = [name: string, isFound: 0 | 1, unreadable?: string];

function recognisedItem({ settings }: RecordInput, document: DocumentFacts): RecognisedItem {
  const { name } = document;
  const fault = [document.pdf, document.context].find((facts) => facts?.state === 'unreadable');
  const found = isFound(document) ? 1 : 0;
  if (fault?.state !== 'unreadable') return [name, found];
  return [name, found, `${relativeTo(settings.base, fault.path)} ${fault.reason.replace(/\.$/, '')}`];
}

function reduceRecognised(settings: FileSettings): Reducer<RecognisedItem> {
  const found = new Set<string>();
  const all = new Set<string>();
  const unreadable = new Map<string, string>();
  return {
    add([name, isFound, fault]) {
      if (found.has(name)) return;
      all.add(name);
      if (isFound === 1) found.add(name);
      if (fault !== undefined) unreadable.set(name, fault);
    },
    end(report) {
      if (found.size === all.size && unreadable.size === 0) return;
      const places = [...settings.pdf, ...settings.pageImage, ...(settings.context ?? [])];
      const keys =
        settings.profile.layouts.context.length > 0
          ? '"context" in auditable-qa.json says'
          : '"pdf" and "pageImage" in auditable-qa.json say';
      const looked = places.length === 0 ? '' : `; looked for ${listNames(places, 8)}`;
      const faults = unreadable.size === 0 ? '' : ` ${listNames([...unreadable.values()])}.`;
      report(null, {
        pointer: '',
        severity: 'info',
        message: `Documents found beside the file: ${found.size} of ${all.size}${looked}.${faults} ${keys} where they are.`,
      });
    },
  };
}

function isFound({ pdf, images, imageNumbers, context }: DocumentFacts): boolean {
  if (context?.state === 'ok' || context?.state === 'unreadable') return true;
  if (pdf?.state === 'ok' || pdf?.state === 'unreadable' || (imageNumbers ?? []).length > 0) return true;
  for (const image of images?.values() ?? []) if (image.state === 'ok' || image.state === 'unreadable') return true;
  return false;
}

/** A file that cannot be read, by its name relative to the location's folder, and where the record names it. */
interface UnreadableItem {
  readonly name: string;
  readonly reason: string;
  readonly place: ReturnType<typeof placeOfElement>;
}

function unreadableItems({ record, settings }: RecordInput, document: DocumentFacts): UnreadableItem[] | undefined {
  const items: UnreadableItem[] = [];
  const nameOf = (path: string): string => relativeTo(settings.base, path);
  for (const facts of [document.pdf, document.context]) {
    if (facts?.state !== 'unreadable') continue;
    items.push({ name: nameOf(facts.path), reason: facts.reason, place: { pointer: pointerTo(record, 'document') } });
  }
  for (const [page, image] of document.images ?? []) {
    if (image.state !== 'unreadable') continue;
    items.push({ name: nameOf(image.path), reason: image.reason, place: placeOfPage(record, page) });
  }
  return items.length === 0 ? undefined : items;
}

function reduceUnreadable(): Reducer<readonly UnreadableItem[]> {
  const faults = new Map<string, UnreadableItem & { readonly index: number }>();
  return {
    add(items, { index }) {
      for (const item of items) if (!faults.has(item.name)) faults.set(item.name, { ...item, index });
    },
    end(report) {
      for (const { index, name, place, reason } of faults.values()) {
        // Reasons are said of the file: "is empty", "is encrypted and needs a password".
        const fault = `${name} ${reason}.`.replace(/\.\.$/, '.');
        report(index, { ...place, message: `${fault} Nothing can be checked against it.`, found: name });
      }
    },
  };
}

function placeOfPage(record: CanonicalRecord, page: number): ReturnType<typeof placeOfElement> {
  return placeOfElement(record, 'pages', Math.max(0, (record.pages ?? []).indexOf(page)));
}
