import type { DocumentFacts } from '../ports.ts';
import type { FileSettings } from '../profile/types.ts';
import { pointerTo } from '../record/canonical.ts';
import type { CanonicalRecord } from '../record/types.ts';
import { count, listNames, placeOfElement, relativeTo } from './messages.ts';
import type { FileCollector, Rule } from './types.ts';

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
  collect: (settings) => (settings.locationsConfigured ? collectConfigured(settings) : collectRecognised(settings)),
};

export const documentUnreadableRule: Rule = {
  code: 'page/document-unreadable',
  severity: 'error',
  needs: 'file',
  title: 'A document or page image is there but cannot be read',
  why: `The file was found, but it is empty, damaged, encrypted, or not what its name says. It is told once per file, at the first record that needs it; pages and boxes cannot be checked against it.

A download that broke off leaves such files, and so does version control with large-file storage whose content was not fetched: the file then holds a few lines of text. Fetch it again. Remove the password of an encrypted PDF.`,
  fires: pdfExample('demo-doc_1.png', 'documents/demo-doc_1.png is an image and not a PDF.'),
  quiet: pdfExample('demo-doc.pdf', 'documents/demo-doc.pdf is a PDF of three pages.'),
  collect: (settings) => (settings.locationsConfigured ? collectUnreadable(settings) : NOTHING),
};

const NOTHING: FileCollector = {
  add() {
    // Without configured locations a damaged file is part of page/document-missing's one information.
  },
  end() {
    // As above.
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

function collectConfigured(settings: FileSettings): FileCollector {
  const seen = new Set<string>();
  const faults = new Map<string, Fault>();
  return {
    add({ record }, { index }, document) {
      if (document === undefined || seen.has(document.name)) return;
      const reason = whyMissing(document, settings);
      // Whether page images exist is known for cited pages only: another record may tell more.
      if (reason === undefined) return;
      if (reason.ofDocument) seen.add(document.name);
      const known = faults.get(reason.text);
      if (known !== undefined) known.more += 1;
      else
        faults.set(reason.text, {
          index,
          pointer: pointerTo(record, 'document'),
          ...reason.say(document.name),
          more: 0,
        });
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

function collectRecognised(settings: FileSettings): FileCollector {
  const found = new Set<string>();
  const all = new Set<string>();
  const unreadable = new Map<string, string>();
  return {
    add(_input, _slot, document) {
      if (document === undefined || found.has(document.name)) return;
      all.add(document.name);
      if (isFound(document)) found.add(document.name);
      const fault = [document.pdf, document.context].find((facts) => facts?.state === 'unreadable');
      if (fault?.state === 'unreadable')
        unreadable.set(document.name, `${relativeTo(settings.base, fault.path)} ${fault.reason.replace(/\.$/, '')}`);
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

function collectUnreadable(settings: FileSettings): FileCollector {
  const faults = new Map<
    string,
    { readonly index: number; readonly place: ReturnType<typeof placeOfElement>; readonly reason: string }
  >();
  return {
    add({ record }, { index }, document) {
      for (const facts of [document?.pdf, document?.context]) {
        if (facts?.state !== 'unreadable' || faults.has(facts.path)) continue;
        faults.set(facts.path, { index, place: { pointer: pointerTo(record, 'document') }, reason: facts.reason });
      }
      for (const [page, image] of document?.images ?? []) {
        if (image.state !== 'unreadable' || faults.has(image.path)) continue;
        faults.set(image.path, { index, place: placeOfPage(record, page), reason: image.reason });
      }
    },
    end(report) {
      for (const [path, { index, place, reason }] of faults) {
        const name = relativeTo(settings.base, path);
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
