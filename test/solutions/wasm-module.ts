/**
 * Reads a WebAssembly module's own code for what of its state lies outside linear memory and is written by it: globals
 * and tables. That is what putting the heap back does not put back.
 */
export interface StateOutsideMemory {
  readonly memories: number;
  /** For each global that is set anywhere: its imported name or its index, and the functions that set it. */
  readonly globals: ReadonlyMap<string, readonly string[]>;
  /** Functions that write into the table of functions. */
  readonly functionTableWriters: readonly string[];
  /** Functions that write into other tables. */
  readonly otherTableWriters: readonly string[];
  /** Operations on another memory than the first; see barrier.ts. */
  readonly otherMemoryOperations: readonly string[];
}

const SECTION = { import: 2, memory: 5, export: 7, code: 10 } as const;

interface Found {
  memories: number;
  readonly importedGlobals: string[];
  importedFunctions: number;
  readonly names: Map<number, string>;
  readonly globals: Map<number, Set<number>>;
  readonly tables: Map<number, Set<number>>;
  readonly otherMemory: Set<string>;
}

export function readStateOutsideMemory(bytes: Uint8Array): StateOutsideMemory {
  const reader = createReader(bytes);
  const found: Found = {
    memories: 0,
    importedGlobals: [],
    importedFunctions: 0,
    names: new Map(),
    globals: new Map(),
    tables: new Map(),
    otherMemory: new Set(),
  };
  reader.at = 8;
  while (reader.at < bytes.length) {
    const section = reader.byte();
    const size = reader.leb();
    const end = reader.at + size;
    if (section === SECTION.import) readImports(reader, found);
    else if (section === SECTION.memory) found.memories += reader.leb();
    else if (section === SECTION.export) readExports(reader, found);
    else if (section === SECTION.code) readCode(reader, found);
    reader.at = end;
  }
  const nameOf = (index: number): string => found.names.get(index) ?? 'unexported';
  const sorted = (functions: Iterable<number>): string[] => [...new Set([...functions].map(nameOf))].sort();
  const others = [...found.tables].filter(([table]) => table !== 0).flatMap(([, functions]) => [...functions]);
  return {
    memories: found.memories,
    globals: new Map(
      [...found.globals].map(([index, functions]) => [
        found.importedGlobals[index] ?? String(index),
        sorted(functions),
      ]),
    ),
    functionTableWriters: sorted(found.tables.get(0) ?? []),
    otherTableWriters: sorted(others),
    otherMemoryOperations: [...found.otherMemory].sort(),
  };
}

function createReader(bytes: Uint8Array) {
  const decoder = new TextDecoder();
  return {
    at: 0,
    byte(): number {
      return bytes[this.at++]!;
    },
    leb(): number {
      let value = 0;
      for (let scale = 1; ; scale *= 128) {
        const next = this.byte();
        value += (next & 0x7f) * scale;
        if (next < 0x80) return value;
      }
    },
    name(): string {
      const length = this.leb();
      this.at += length;
      return decoder.decode(bytes.subarray(this.at - length, this.at));
    },
    limits(): void {
      const flags = this.byte();
      this.leb();
      if (flags & 1) this.leb();
    },
    times(count: number, action: () => void): void {
      for (let left = count; left > 0; left--) action();
    },
  };
}
type Reader = ReturnType<typeof createReader>;

function readImports(reader: Reader, found: Found): void {
  reader.times(reader.leb(), () => {
    const name = `${reader.name()}.${reader.name()}`;
    switch (reader.byte()) {
      case 0:
        reader.leb();
        found.importedFunctions++;
        break;
      case 1:
        reader.byte();
        reader.limits();
        break;
      case 2:
        found.memories++;
        reader.limits();
        break;
      case 3:
        found.importedGlobals.push(name);
        reader.at += 2;
        break;
      default:
        reader.byte();
        reader.leb();
    }
  });
}

function readExports(reader: Reader, found: Found): void {
  reader.times(reader.leb(), () => {
    const name = reader.name();
    const kind = reader.byte();
    const index = reader.leb();
    if (kind === 0 && !found.names.has(index)) found.names.set(index, name);
  });
}

function readCode(reader: Reader, found: Found): void {
  let index = found.importedFunctions;
  reader.times(reader.leb(), () => {
    const size = reader.leb();
    const end = reader.at + size;
    reader.times(reader.leb(), () => {
      reader.leb();
      reader.byte();
    });
    while (reader.at < end) readInstruction(reader, index, found);
    if (reader.at !== end) throw new Error(`function ${index} was not read as it was written`);
    index++;
  });
}

function note(map: Map<number, Set<number>>, key: number, by: number): void {
  const known = map.get(key);
  if (known) known.add(by);
  else map.set(key, new Set([by]));
}

const between = (value: number, low: number, high: number): boolean => value >= low && value <= high;

function readInstruction(reader: Reader, by: number, found: Found): void {
  const operation = reader.byte();
  if (operation === 0x24) note(found.globals, reader.leb(), by);
  else if (operation === 0x26) note(found.tables, reader.leb(), by);
  else if (between(operation, 0x28, 0x3e)) readAccess(reader, operation, found);
  else if (operation === 0x11 || operation === 0x13) reader.times(2, () => reader.leb());
  else if (operation === 0x0e) reader.times(reader.leb() + 1, () => reader.leb());
  else if (operation === 0x1c) reader.times(reader.leb(), () => reader.byte());
  else if (operation === 0x43) reader.at += 4;
  else if (operation === 0x44) reader.at += 8;
  else if (operation === 0x3f || operation === 0x40) {
    if (reader.byte() !== 0) found.otherMemory.add('size');
  } else if (operation === 0xfc) readBulk(reader, by, found);
  else if (operation === 0xfd) throw new Error('vector instructions are not known here');
  else if (hasOneIndex(operation)) reader.leb();
}

function readAccess(reader: Reader, operation: number, found: Found): void {
  // The sixth bit of the alignment says that the memory is named.
  if (reader.leb() >= 0x40 && reader.leb() !== 0) found.otherMemory.add(operation === 0x3a ? 'store8' : 'another');
  reader.leb();
}

/** Blocks, exceptions, branches, calls, locals, reads of globals and tables, integer constants, references. */
const hasOneIndex = (operation: number): boolean =>
  between(operation, 0x02, 0x04) ||
  between(operation, 0x06, 0x09) ||
  operation === 0x18 ||
  operation === 0x0c ||
  operation === 0x0d ||
  operation === 0x10 ||
  operation === 0x12 ||
  between(operation, 0x20, 0x23) ||
  operation === 0x25 ||
  operation === 0x41 ||
  operation === 0x42 ||
  operation === 0xd0 ||
  operation === 0xd2;

function readBulk(reader: Reader, by: number, found: Found): void {
  const operation = reader.leb();
  if (operation <= 7) return;
  if (operation === 16) reader.leb();
  else if (operation === 15 || operation === 17) note(found.tables, reader.leb(), by);
  else if (operation === 12 || operation === 14) {
    const table = reader.leb();
    note(found.tables, operation === 12 ? reader.leb() : table, by);
    if (operation === 14) reader.leb();
  } else if (operation === 8 || operation === 10) {
    const memories = [reader.leb(), reader.leb()];
    if (memories.some((memory) => memory !== 0)) found.otherMemory.add('copy');
  } else if (reader.leb() !== 0 && operation === 11) found.otherMemory.add('fill');
}
