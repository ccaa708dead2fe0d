import type { DecoderName, Field } from '../profile/types.ts';
import { readListInString } from './list-in-string.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/**
 * Applies a decoder to the value of a field. What a decoder cannot read it returns as it stands: the schema's rules then
 * say what is wrong. `textBlocks`: how many blocks of the context come before its table.
 */
export function decode(
  decoder: DecoderName,
  field: Field,
  value: unknown,
  source: JsonObject,
  textBlocks: (source: JsonObject) => number,
): unknown {
  switch (decoder) {
    case 'list-in-string':
      return typeof value === 'string' ? (readListInString(value) ?? value) : value;
    case 'message':
      return isChat(value) ? messageText(value, field) : value;
    case 'finqa-evidence':
      return isObject(value) ? numberedKeys(value, field, textBlocks(source)) : value;
    case 'tatqa-evidence':
      return tatqaEvidence(value, field, textBlocks(source));
    case 'tatqa-scale':
      return typeof value === 'number' ? value : undefined;
    case 'tatqa-derivation':
      // Other derivations list what was counted or compared; they are no formulas.
      return source['answer_type'] === 'arithmetic' && typeof value === 'string' ? value : undefined;
    case 'report-file':
      // The blocks come with the file.
      return Array.isArray(value) ? value : undefined;
    case 'finqa-program':
      return value;
  }
}

/** Where an element of the decoded value stands in the value as it is written, as the rest of a pointer. */
export function pathInDecoded(
  { name, decoder }: { readonly name: Field; readonly decoder: DecoderName | undefined },
  value: unknown,
  path: readonly (string | number)[],
): (string | number)[] {
  if (decoder === 'message' && isChat(value)) {
    const at = messageIndex(value, name);
    return at < 0 ? [] : [at, 'content'];
  }
  if (decoder === 'finqa-evidence' && isObject(value)) {
    const key = keysOf(value, name)[Number(path[0] ?? Number.NaN)];
    return key === undefined ? [] : [key];
  }
  return typeof value === 'string' ? [] : [...path];
}

/** What a cited number is called where it is written otherwise than as an index into the context. */
export function writtenKey(
  decoder: DecoderName | undefined,
  value: unknown,
  field: Field,
  at: number,
): string | undefined {
  if (decoder === 'finqa-evidence' && isObject(value)) return keysOf(value, field)[at];
  if (decoder === 'tatqa-evidence' && Array.isArray(value)) return String(value[at]);
  return undefined;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

interface Message {
  readonly role: unknown;
  readonly content: string;
}

function isChat(value: unknown): value is readonly Message[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((one) => isObject(one) && typeof one['content'] === 'string')
  );
}

function messageIndex(chat: readonly Message[], field: Field): number {
  const role = field === 'question' ? 'user' : 'assistant';
  return chat.findLastIndex((message) => message.role === role);
}

/** Prompts stand before the question, on lines of their own; images are `<image>`. */
function messageText(chat: readonly Message[], field: Field): string | undefined {
  const content = chat[messageIndex(chat, field)]?.content;
  if (content === undefined || field !== 'question') return content;
  return content.replaceAll('<image>', '').trim().split('\n').at(-1);
}

const KEY = /^(table|text)_(\d{1,9})$/;

function keysOf(cited: JsonObject, field: Field): string[] {
  const kind = field === 'tableEvidence' ? 'table' : 'text';
  return Object.keys(cited).filter((key) => KEY.exec(key)?.[1] === kind);
}

/** Rows follow the sentences in the context. A number beyond its own part must not land in another one. */
function numberedKeys(cited: JsonObject, field: Field, textBlocks: number): number[] {
  const isTable = field === 'tableEvidence';
  return keysOf(cited, field).map((key) => {
    const number = Number(KEY.exec(key)![2]);
    if (isTable) return textBlocks + number;
    return number < textBlocks ? number : OUTSIDE + number;
  });
}

/** Beyond any context. */
const OUTSIDE = 1e9;

function tatqaEvidence(value: unknown, field: Field, textBlocks: number): unknown {
  if (field === 'tableEvidence') {
    if (typeof value !== 'string') return value;
    return value.includes('table') ? [textBlocks] : [];
  }
  if (!Array.isArray(value)) return value;
  return value.map((order: unknown) => {
    if (typeof order !== 'string' || !/^\d{1,9}$/.test(order)) return order;
    const index = Number(order) - 1;
    return index < textBlocks ? index : OUTSIDE + index;
  });
}
