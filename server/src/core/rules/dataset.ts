import { createHashIndex } from '../hash-index.ts';
import { hashNumber } from '../hash.ts';
import { createNumberList } from '../number-list.ts';
import { pointerTo } from '../record/canonical.ts';
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
      // By the hash of the id, the place in the lists; these hold the first record with each id.
      const firsts = createHashIndex();
      const texts = createNumberList();
      const indices = createNumberList();
      const lines = createNumberList();
      const repeats: { readonly index: number; readonly pointer: string; readonly first: number }[] = [];
      return {
        add([id, text, pointer]: IdItem, { index, line }) {
          const first = firsts.add(id, texts.length);
          if (first === undefined) {
            texts.push(text);
            indices.push(index);
            lines.push(line + 1);
          } else if (texts.at(first) !== text) {
            repeats.push({ index, pointer, first });
          }
        },
        end(report) {
          for (const { index, pointer, first } of repeats) {
            const recordIndex = indices.at(first);
            report(index, {
              places: [{ recordIndex, pointer }],
              say({ record: { id = '' } }) {
                return {
                  pointer,
                  message: `The id "${id}" already stands on another record with other content, in line ${lines.at(first)}.`,
                  found: id,
                  related: [{ message: `First record with the id "${id}"`, pointer, recordIndex }],
                };
              },
            });
          }
        },
      };
    },
  },
];
