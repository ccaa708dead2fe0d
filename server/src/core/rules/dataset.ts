import { createHashList } from '../hash-list.ts';
import { hashNumber } from '../hash.ts';
import { createNumberList } from '../number-list.ts';
import { pointerTo } from '../record/canonical.ts';
import { createPointers } from './pointers.ts';
import type { Rule } from './types.ts';

/** Hashes of id and text, and the id's pointer. */
type IdItem = [id: number, text: number, pointer: string];

export const datasetRules: readonly Rule[] = [
  {
    code: 'dataset/duplicate-id',
    severity: 'error',
    needs: 'dataset',
    title: 'The same id stands on two different records of one file',
    why: `An id must name one record. Where two records with different content share it, predictions, scores and relevance judgements cannot be assigned, and tools that index by id silently keep one of the two.

Likely causes: files were joined without renumbering, or a record was copied to start a new one. Give one of them an id of its own. Records that repeat each other letter by letter are not reported here.`,
    fires: {
      profile: 'docmath-eval',
      lines: [
        { question_id: 'demo-44', question: 'What was revenue in 2031? (in thousand)', ground_truth: 1200.5 },
        { question_id: 'demo-44', question: 'What was revenue in 2032? (in thousand)', ground_truth: 1350.5 },
      ],
    },
    quiet: {
      profile: 'docmath-eval',
      lines: [
        { question_id: 'demo-44', question: 'What was revenue in 2031? (in thousand)', ground_truth: 1200.5 },
        { question_id: 'demo-45', question: 'What was revenue in 2032? (in thousand)', ground_truth: 1350.5 },
      ],
    },
    digest({ record, text }) {
      const { id } = record;
      if (id === undefined || id === '') return undefined;
      // 32 bits of the text: each is compared with one other only.
      return [hashNumber(id), hashNumber(text ?? '') >>> 0, pointerTo(record, 'id')] satisfies IdItem;
    },
    reduce() {
      const ids = createHashList();
      const pointers = createPointers();
      // By index, as are the lines.
      const texts = createNumberList();
      const lines = createNumberList();
      return {
        add([id, text, pointer]: IdItem, { index, line }) {
          ids.set(index, id);
          pointers.set(index, pointer);
          while (texts.length < index) {
            texts.push(0);
            lines.push(0);
          }
          texts.push(text);
          lines.push(line + 1);
        },
        end(report) {
          for (const { index, first } of ids.repeats()) {
            if (texts.at(index) === texts.at(first)) continue;
            const pointer = pointers.at(index);
            report(index, {
              places: [{ recordIndex: first, pointer }],
              say({ record: { id = '' } }) {
                return {
                  pointer,
                  message: `The id "${id}" already stands on another record with other content, in line ${lines.at(first)}.`,
                  found: id,
                  related: [{ message: `First record with the id "${id}"`, pointer, recordIndex: first }],
                };
              },
            });
          }
        },
      };
    },
  },
];
