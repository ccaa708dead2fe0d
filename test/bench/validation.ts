import { strict as assert } from 'node:assert';
import { Ajv } from 'ajv';
import { getLanguageService } from 'vscode-json-languageservice';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { createChecker } from '../../server/src/core/checker.ts';
import { settingsFor } from '../../server/src/core/profile/settings.ts';
import { readRecords } from '../../server/src/core/text/reader.ts';
import { sciegqaLines } from './records.ts';
import { ratio } from './ratio.ts';
import type { Ratio } from './ratio.ts';

/** The shape of a SciEGQA record as one would write it down for a general validator: the reference. */
const SCHEMA = {
  type: 'object',
  required: ['query', 'answer', 'doc_name', 'evidence_page', 'bbox'],
  properties: {
    query: { type: 'string' },
    answer: { type: 'string' },
    doc_name: { type: 'string' },
    evidence_page: { type: 'array', items: { type: 'integer' } },
    bbox: {
      type: 'array',
      items: {
        type: 'array',
        items: { type: 'array', items: { type: 'number' }, minItems: 4, maxItems: 4 },
      },
    },
    subimg_tpye: { type: 'array', items: { type: 'array', items: { enum: ['text', 'image', 'table'] } } },
    category: { enum: ['cs', 'econ', 'eess', 'math', 'physics', 'q-bio', 'q-fin', 'stat'] },
  },
};

/** Validating 30,780 records, without pages and solutions, against general tools on the same lines. */
export async function validationRatios(): Promise<Ratio[]> {
  const lines = sciegqaLines(30_780);
  const text = `${lines.join('\n')}\n`;
  const samples = lines.slice(0, 1000).map((line) => JSON.parse(line) as Record<string, unknown>);
  const settings = settingsFor({ filePath: '/data/train.jsonl', samples });
  assert.ok('profile' in settings);

  const ours = (): void => {
    const checker = createChecker(settings);
    const collection = checker.collect();
    let findings = 0;
    for (const slot of readRecords(text, 'lines').slots) {
      const checked = checker.checkText(slot.text);
      findings += checker.findings(slot, checked, {}).length;
      collection.add(slot, checked, {});
    }
    findings += collection.end().length;
    assert.equal(findings, 0);
  };
  const validate = new Ajv({ allErrors: true }).compile(SCHEMA);
  const parseAndAjv = (): void => {
    for (const line of text.split('\n')) if (line !== '') assert.ok(validate(JSON.parse(line)));
  };
  const service = getLanguageService({});
  service.configure({ validate: true, schemas: [{ uri: 'mem://s', fileMatch: ['*.json'], schema: SCHEMA as never }] });
  const languageService = async (): Promise<void> => {
    for (const [index, line] of lines.entries()) {
      const document = TextDocument.create(`mem://${index}.json`, 'json', 1, line);
      const problems = await service.doValidation(document, service.parseJSONDocument(document));
      assert.equal(problems.length, 0);
    }
  };
  return [
    await ratio('validating 30,780 records ÷ JSON.parse + compiled ajv', 3, ours, parseAndAjv),
    await ratio('validating 30,780 records ÷ vscode-json-languageservice', 0.4, ours, languageService, 3),
  ];
}
