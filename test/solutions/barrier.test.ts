import assert from 'node:assert/strict';
import { addBarrier } from '../../server/src/node/sandbox/barrier.ts';
import { COVER, MARKS, MARKS_PAGES, PAGE_BITS } from '../../server/src/node/sandbox/marks.ts';

const PAGE = 2 ** PAGE_BITS;
/** Memory of the programs, in pages of 64 KiB and in bytes. */
const MEMORY = 1;
const BYTES = MEMORY * 65_536;
const LOCALS = 4;
/** Counts what loops do, so that every program ends. */
const FUEL = LOCALS;
const I32 = 0x7f;

type Code = readonly number[];

const leb = (value: number): Code => (value < 128 ? [value] : [(value % 128) | 128, ...leb(Math.floor(value / 128))]);
const signed = (value: number): Code =>
  value < 64 ? [value] : [(value % 128) | 128, ...signed(Math.floor(value / 128))];
const sized = (content: Code): Code => [...leb(content.length), ...content];
const name = (text: string): Code => sized([...new TextEncoder().encode(text)]);
const section = (id: number, content: Code): Code => [id, ...sized(content)];
const i32 = (value: number): Code => [0x41, ...signed(value)];
const get = (local: number): Code => [0x20, local];

/** A function without parameters over locals that hold addresses; its module imports the memory as `env.memory`. */
function moduleOf(body: Code): Uint8Array<ArrayBuffer> {
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 0, 0]),
    ...section(2, [1, ...name('env'), ...name('memory'), 2, 0, MEMORY]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('run'), 0, 0]),
    ...section(10, [1, ...sized([1, LOCALS + 1, I32, ...body, 0x0b])]),
  ]);
}

/** Numbers that are the same in every run of the tests. */
function createRandom(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761 + 1;
  return (below) => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Programs of all writing instructions, with assignments, branches and loops between them. */
function createWriter(random: (below: number) => number) {
  const local = (): number => random(LOCALS);
  /** Often at the end of a page; with room for the largest offset. */
  const address = (): number => random(BYTES / PAGE - 4) * PAGE + [0, 7, PAGE - 1, PAGE - 5, random(PAGE)][random(5)]!;
  const place = (): Code => {
    switch (random(4)) {
      case 0:
        return i32(address());
      case 1: {
        const at = local();
        return [...i32(address()), 0x22, at];
      }
      default:
        return get(local());
    }
  };
  const value = (type: number): Code => {
    // Sometimes one that assigns to a variable whose value is on the stack already.
    if (type === I32) return random(3) === 0 ? [...i32(address()), 0x22, local()] : i32(1 + random(2 ** 20));
    if (type === 0x7e) return [0x42, ...signed(1 + random(2 ** 20))];
    return type === 0x7d ? [0x43, 1, 2, 3, 4] : [0x44, 1, 2, 3, 4, 5, 6, 7, 8];
  };
  const STORES = [
    [0x36, I32],
    [0x37, 0x7e],
    [0x38, 0x7d],
    [0x39, 0x7c],
    [0x3a, I32],
    [0x3b, I32],
    [0x3c, 0x7e],
    [0x3d, 0x7e],
    [0x3e, 0x7e],
  ] as const;
  const store = (): Code => {
    const [operation, type] = STORES[random(STORES.length)]!;
    const offset = [0, 4, 255, 256, 300, random(2 * PAGE)][random(6)]!;
    return [...place(), ...value(type), operation, 0, ...leb(offset)];
  };
  const stretch = (): Code => {
    const size = i32([0, 1, random(2 * PAGE)][random(3)]!);
    return random(2) === 0
      ? [...place(), ...i32(1 + random(255)), ...size, 0xfc, 11, 0]
      : [...place(), ...i32(address()), ...size, 0xfc, 10, 0, 0];
  };
  /** Branches out of some of the blocks around, or to the beginning of a loop, as long as there is fuel. */
  const leave = (depth: number): Code =>
    depth === 0 ? [] : [...get(FUEL), ...i32(random(9)), 0x49, 0x0d, random(depth)];
  const block = (depth: number): Code => {
    const inner = statements(1 + random(4), depth + 1);
    switch (random(3)) {
      case 0:
        return [0x02, 0x40, ...inner, 0x0b];
      case 1:
        return [0x03, 0x40, ...useFuel, ...inner, 0x0b];
      default:
        return [...get(FUEL), ...i32(random(9)), 0x49, 0x04, 0x40, ...inner, 0x05, ...statements(1, depth + 1), 0x0b];
    }
  };
  /** Counts up, and returns at the end. */
  const useFuel: Code = [...get(FUEL), ...i32(1), 0x6a, 0x22, FUEL, ...i32(12), 0x4b, 0x04, 0x40, 0x0f, 0x0b];
  const statement = (depth: number): Code => {
    const kind = random(10);
    if (kind < 5) return store();
    if (kind === 5) return stretch();
    if (kind === 6) return [...i32(address()), 0x21, local()];
    if (kind === 7) return leave(depth);
    return depth < 4 ? block(depth) : store();
  };
  const statements = (count: number, depth: number): Code =>
    Array.from({ length: count }, () => statement(depth)).flat();
  return { program: (): Code => statements(3 + random(12), 0) };
}

interface Ran {
  readonly memory: Uint8Array;
  readonly marks: Uint8Array;
}

/** Not what a program writes: a write is a change. */
const UNTOUCHED = Uint8Array.from({ length: BYTES }, (_, at) => 251 - (at % 199));
const PAGES = BYTES / PAGE;

function run(module: Uint8Array<ArrayBuffer>): Ran {
  const memory = new WebAssembly.Memory({ initial: MEMORY });
  const marks = new WebAssembly.Memory({ initial: MARKS_PAGES, maximum: MARKS_PAGES });
  const bytes = new Uint8Array(memory.buffer);
  bytes.set(UNTOUCHED);
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory, [MARKS]: marks } });
  (exports as { run(): void }).run();
  return { memory: bytes, marks: new Uint8Array(marks.buffer, 0, PAGES) };
}

describe('the write barrier', () => {
  it('notes every page that a program writes to, and the program does the same', () => {
    let written = 0;
    let noted = 0;
    const programs = process.env['SOAK'] ? 20_000 : 400;
    for (let seed = 1; seed <= programs; seed++) {
      const module = moduleOf(createWriter(createRandom(seed)).program());
      const plain = run(module);
      const { memory, marks } = run(addBarrier(module) as Uint8Array<ArrayBuffer>);
      assert.equal(Buffer.compare(plain.memory, memory), 0, `program ${seed} does something else`);
      for (let page = 0; page < PAGES; page++) {
        if (marks[page] !== 0) {
          noted++;
          continue;
        }
        // What lies a little behind a noted page may have been written, too.
        const start = page * PAGE + (page > 0 && marks[page - 1] !== 0 ? COVER : 0);
        const end = (page + 1) * PAGE;
        const isSame = Buffer.compare(memory.subarray(start, end), UNTOUCHED.subarray(start, end)) === 0;
        assert.ok(isSame, `program ${seed} wrote to page ${page} unnoted`);
      }
      for (let at = 0; at < BYTES; at += 16) if (memory[at] !== UNTOUCHED[at]) written++;
    }
    assert.ok(written > programs && noted < (programs * PAGES) / 2, `${written} writes, ${noted} pages`);
  });

  it('notes again what a variable holds when it was assigned to, also further on in a loop', () => {
    const store = [...get(0), ...i32(1), 0x36, 0, 0];
    const assign = (page: number): Code => [...i32(page * PAGE), 0x21, 0];
    const again = [...get(FUEL), ...i32(1), 0x6a, 0x22, FUEL, ...i32(2), 0x49];
    const marksOf = (body: Code): readonly number[] => {
      const { marks } = run(addBarrier(moduleOf(body)) as Uint8Array<ArrayBuffer>);
      return [...marks.keys()].filter((page) => marks[page] !== 0);
    };
    assert.deepEqual(marksOf([...assign(3), ...store, ...assign(5), ...store]), [3, 5]);
    // Once round: the write before the assignment is made twice.
    assert.deepEqual(
      marksOf([...assign(3), ...store, 0x03, 0x40, ...store, ...assign(5), ...again, 0x0d, 0, 0x0b]),
      [3, 5],
    );
    assert.deepEqual(marksOf([...assign(3), ...get(0), ...assign(5), ...i32(1), 0x36, 0, 0]), [3]);
  });

  it('refuses what it does not know', () => {
    assert.throws(() => addBarrier(moduleOf([0xfd, 0x0c])), /operation fd is not known/);
    assert.throws(() => addBarrier(moduleOf([...i32(0), 0xfe, 0x10])), /operation fe is not known/);
    assert.throws(() => addBarrier(moduleOf([...i32(0), ...i32(0), ...i32(0), 0xfc, 8, 0, 0])), /bulk operation 8/);
    assert.throws(() => addBarrier(moduleOf([...i32(0), ...i32(0), 0x36, 0x42, 1, 0])), /another memory/);
  });
});
