/** Seeded changes to records and texts: the same seed makes the same file. */

export interface Random {
  /** 0 ≤ n < limit; 0 for a limit of 0. */
  below(limit: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (limit: number): number => Math.floor(next() * limit);
  return { below, chance: (probability) => next() < probability, pick: (from) => from[below(from.length)]! };
}

const LONE_SURROGATE = '\ud83d';
const VALUES: readonly unknown[] = [
  null,
  true,
  false,
  0,
  -1,
  1,
  2.5,
  1e308,
  -1e-9,
  2 ** 60,
  150,
  '',
  ' ',
  'x',
  '150',
  '(1,234)',
  '−5 %',
  '[1, 2]',
  '[1, [2',
  "['a']",
  '__proto__',
  'constructor',
  '../../x',
  'a\u0000b',
  LONE_SURROGATE,
  '😀'.repeat(40),
  '| a | b |\n| c |',
  '<table><tr><td>1',
  'def solution():\n    return 1',
  'def solution():\\n    return 1',
  '```python\ndef solution(): pass',
  'import os\nlambda: (',
  'line\r\nline\rline\u2028x',
  [],
  [[]],
  [[[]]],
  [null],
  [1, 1, 'a', null, [2]],
  [[300, 600, 100, 50]],
  [
    [
      [300, 600, 300, 50],
      [0, 0, 0],
    ],
  ],
  [[[[1, 2, 3, 4]]]],
  {},
  { a: 1 },
  { '': { '/': 1, '~': [] } },
];

type Container = Record<string | number, unknown>;

/** Replaces, removes, doubles or renames values at random places, so many times. May yield no object at all. */
export function mutateRecord(record: unknown, random: Random, times: number): unknown {
  let root = record;
  for (let i = 0; i < times; i++) {
    const places = placesIn(root);
    if (places.length === 0 || random.chance(0.01)) root = aValue(random);
    else mutateAt(random.pick(places), random);
  }
  return root;
}

interface Place {
  readonly parent: Container;
  readonly key: string | number;
}

function mutateAt({ parent, key }: Place, random: Random): void {
  const value = parent[key];
  switch (random.below(7)) {
    case 0:
      if (Array.isArray(parent)) parent.splice(Number(key), 1);
      else delete parent[key];
      break;
    case 1:
      if (Array.isArray(parent)) parent.splice(Number(key), 0, structuredClone(value));
      else
        Object.defineProperty(
          parent,
          random.pick(['__proto__', 'toString', '', '~/', `${key}s`, 'id']),
          own(structuredClone(value)),
        );
      break;
    case 2:
      parent[key] = random.chance(0.5) ? [value] : JSON.stringify(value);
      break;
    case 3:
      parent[key] = typeof value === 'number' ? value * random.pick([10, 0.001, -1, 1000, 0.5]) : aValue(random);
      break;
    case 4:
      parent[key] = typeof value === 'string' ? mutateText(value, random) : aValue(random);
      break;
    default:
      parent[key] = aValue(random);
  }
}

/** Never the listed value itself: what is made of it may be changed further. */
function aValue(random: Random): unknown {
  return structuredClone(random.pick(VALUES));
}

function own(value: unknown): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

function placesIn(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const parent = value as Container;
  return Object.keys(parent).flatMap((key) => [
    { parent, key: Array.isArray(parent) ? Number(key) : key },
    ...placesIn(parent[key]),
  ]);
}

const PIECES = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ']',
  ',',
  ':',
  '\n',
  '\r',
  '\r\n',
  '\t',
  ' ',
  '\u0000',
  '\u2028',
  '\u0085',
  '\ufeff',
  'NaN',
  '-Infinity',
  '1e999',
  '12345678901234567890',
  '0.0',
  '-',
  "'",
  '\\u00',
  '\\n',
  '\\ud83d',
  '😀',
  'null',
  'None',
  '//',
  '{"a":1,"a":2}',
  '```',
  '\n\n\n',
  'é',
  '\ufffd',
];

/** Cuts, removes, doubles or inserts something at a random place. */
export function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const length = random.pick([1, 1, 2, 5, 40]);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(at + length);
    case 2:
      return text.slice(0, at) + text.slice(at, at + length) + text.slice(at);
    case 3:
      return text.slice(at);
    default:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
  }
}
