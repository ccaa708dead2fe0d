/**
 * Build step: gives a WebAssembly module a write barrier. Each instruction that writes into its memory also notes, in a
 * second memory that no other instruction can reach, which page it wrote to; so what a run has changed is known without
 * looking at the rest. Does not ship; what it makes does.
 *
 * A note may stand for several writes: for those through the same local variable, at offsets near each other, where one
 * that certainly came before was noted. It covers `COVER` bytes behind its page, too.
 */
import { COVER, MARKS, MARKS_PAGES, PAGE_BITS } from './marks.ts';
import { createWasmReader, createWasmWriter } from './wasm-bytes.ts';
import type { WasmReader, WasmWriter } from './wasm-bytes.ts';
import { BULK, I32, OP, readInstructions, stackEffect, STORES } from './wasm-code.ts';
import type { Instruction } from './wasm-code.ts';

const SECTION = { type: 1, import: 2, function: 3, memory: 5, code: 10 } as const;
/** Bytes of the longest write. It may begin at the last offset that a note covers, and at the last byte of a page. */
const LONGEST_WRITE = 8;
/** Offsets from one local variable, divided by this, that are equal share a note. */
const SHARED = COVER - 2 * LONGEST_WRITE;

/** @throws where the module holds something that is not known here */
export function addBarrier(module: Uint8Array): Uint8Array {
  const reader = createWasmReader(module);
  const writer = createWasmWriter();
  /** Parameters of each type; types of the module's own functions. */
  const parameters: number[] = [];
  const types: number[] = [];
  reader.skip(8);
  writer.copy(module.subarray(0, 8));
  while (reader.at < module.length) {
    const start = reader.at;
    const section = reader.byte();
    const end = reader.leb() + reader.at;
    if (section === SECTION.type) readTypes(reader, parameters);
    else if (section === SECTION.function) for (let left = reader.leb(); left > 0; left--) types.push(reader.leb());
    else if (section === SECTION.memory) throw new Error('the module has a memory of its own');
    if (section === SECTION.import) putSection(writer, section, importMarks(reader, end));
    else if (section === SECTION.code) putSection(writer, section, rewriteCode(reader, parameters, types));
    else writer.copy(module.subarray(start, end));
    reader.at = end;
  }
  return writer.done();
}

function putSection(writer: WasmWriter, section: number, content: Uint8Array): void {
  writer.put(section);
  putSized(writer, content);
}

function putSized(writer: WasmWriter, content: Uint8Array): void {
  writer.leb(content.length);
  writer.copy(content);
}

function readTypes(reader: WasmReader, parameters: number[]): void {
  for (let left = reader.leb(); left > 0; left--) {
    if (reader.byte() !== 0x60) throw new Error('a type that is no function');
    const count = reader.leb();
    parameters.push(count);
    reader.skip(count);
    reader.skip(reader.leb());
  }
}

/** The last import becomes memory 1: memory 0 is imported, too. */
function importMarks(reader: WasmReader, end: number): Uint8Array {
  const writer = createWasmWriter();
  const encoder = new TextEncoder();
  writer.leb(reader.leb() + 1);
  writer.copy(reader.bytes.subarray(reader.at, end));
  for (const name of ['env', MARKS]) putSized(writer, encoder.encode(name));
  // A memory with a greatest size.
  writer.put(2, 1);
  writer.leb(MARKS_PAGES);
  writer.leb(MARKS_PAGES);
  return writer.done();
}

function rewriteCode(reader: WasmReader, parameters: readonly number[], types: readonly number[]): Uint8Array {
  const code = createWasmWriter();
  const count = reader.leb();
  if (count !== types.length) throw new Error('functions without code');
  code.leb(count);
  for (const type of types) {
    const end = reader.leb() + reader.at;
    putSized(code, rewriteFunction(reader, end, parameters[type]!));
    if (reader.at !== end) throw new Error('a function was not read as it was written');
  }
  return code.done();
}

function rewriteFunction(reader: WasmReader, end: number, parameters: number): Uint8Array {
  const start = reader.at;
  let locals = parameters;
  const groups = reader.leb();
  const groupsStart = reader.at;
  for (let left = groups; left > 0; left--) {
    locals += reader.leb();
    reader.skip(1);
  }
  const groupsEnd = reader.at;
  const { code, temporaries } = rewriteBody(reader, end, locals);
  const body = createWasmWriter();
  if (temporaries.length === 0) {
    body.copy(reader.bytes.subarray(start, groupsEnd));
  } else {
    body.leb(groups + temporaries.length);
    body.copy(reader.bytes.subarray(groupsStart, groupsEnd));
    for (const type of temporaries) body.put(1, type);
  }
  body.copy(code);
  return body.done();
}

/** @param locals how many local variables there are; the temporaries follow them */
function rewriteBody(
  reader: WasmReader,
  end: number,
  locals: number,
): { readonly code: Uint8Array; readonly temporaries: readonly number[] } {
  const out = createWasmWriter();
  const temporaries: number[] = [];
  const named = new Map<string, number>();
  const temporary = (name: string, type: number): number => {
    let index = named.get(name);
    if (index === undefined) {
      index = locals + temporaries.push(type) - 1;
      named.set(name, index);
    }
    return index;
  };
  const emit = createEmitter(out);
  const values = createValues(countAssignments(reader, end));

  const store = ({ operation, offset }: Instruction, text: Uint8Array): void => {
    values.pop();
    const local = values.pop();
    const moved = offset - (offset % SHARED);
    if (local !== undefined) {
      out.copy(text);
      if (values.noted.has(local, moved)) return;
      values.noted.add(local, moved);
      emit.note(local, moved);
      return;
    }
    const type = STORES.get(operation)!;
    const value = temporary(`value ${type}`, type);
    const place = temporary('place', I32);
    emit.local(OP.set, value);
    emit.local(OP.tee, place);
    emit.local(OP.get, value);
    out.copy(text);
    emit.note(place, moved);
  };

  const copyOrFill = (text: Uint8Array): void => {
    const size = temporary('size', I32);
    const from = temporary('from', I32);
    const place = temporary('place', I32);
    emit.local(OP.set, size);
    emit.local(OP.set, from);
    emit.local(OP.tee, place);
    emit.local(OP.get, from);
    emit.local(OP.get, size);
    out.copy(text);
    emit.noteStretch(place, size);
    values.unknown();
  };

  readInstructions(reader, end, (instruction) => {
    const text = reader.bytes.subarray(instruction.start, reader.at);
    const { operation, index } = instruction;
    if (STORES.has(operation)) return store(instruction, text);
    if (operation === OP.bulk && (index === BULK.copy || index === BULK.fill)) return copyOrFill(text);
    out.copy(text);
    values.follow(instruction);
  });
  return { code: out.done(), temporaries };
}

function createEmitter(out: WasmWriter) {
  const local = (operation: number, index: number): void => {
    out.put(operation);
    out.leb(index);
  };
  const constant = (value: number): void => {
    if (value >= 2 ** 31) throw new Error('an offset of 2 GiB');
    out.put(OP.const);
    out.signedLeb(value);
  };
  const toPage = (): void => {
    constant(PAGE_BITS);
    out.put(OP.shift);
  };
  return {
    local,
    /** Notes the page that lies so many bytes behind what a local variable holds. */
    note(place: number, moved: number): void {
      local(OP.get, place);
      if (moved > 0) {
        constant(moved);
        out.put(OP.add);
      }
      toPage();
      constant(1);
      // Into memory 1, at offset 0.
      out.put(OP.store8, 0x40, 1, 0);
    },
    /** Notes all pages of a stretch, and the one behind it where it ends with a page. */
    noteStretch(place: number, size: number): void {
      local(OP.get, place);
      toPage();
      constant(1);
      local(OP.get, place);
      local(OP.get, size);
      out.put(OP.add);
      toPage();
      local(OP.get, place);
      toPage();
      out.put(OP.sub);
      constant(1);
      out.put(OP.add);
      out.put(OP.bulk, BULK.fill, 1);
    },
  };
}

function countAssignments(reader: WasmReader, end: number): Map<number, number> {
  const counts = new Map<number, number>();
  const start = reader.at;
  readInstructions(reader, end, ({ operation, index }) => {
    if (operation === OP.set || operation === OP.tee) counts.set(index, (counts.get(index) ?? 0) + 1);
  });
  reader.at = start;
  return counts;
}

/**
 * Follows which values on the stack are those of local variables, and which notes have been made for what these hold.
 * @param assignments how often each local variable is assigned to; counted down
 */
function createValues(assignments: Map<number, number>) {
  const noted = createNotes();
  /** Its top, as far as it is known; the variables that still hold the value. */
  let stack: (number | undefined)[] = [];
  const assign = (local: number): void => {
    assignments.set(local, assignments.get(local)! - 1);
    noted.forget(local);
    stack = stack.map((value) => (value === local ? undefined : value));
  };
  /** Notes hold from one instruction to the next, and in the blocks between; not for what comes by another way. */
  const enterOrLeave = (operation: number): void => {
    switch (operation) {
      case OP.loop:
        // What is assigned to further on may be so in this loop, and hold something else when it begins again.
        noted.keep((local) => (assignments.get(local) ?? 0) === 0);
        return noted.open();
      case OP.block:
      case OP.if:
      case OP.try:
        return noted.open();
      case OP.else:
      case OP.catch:
      case OP.catchAll:
        return noted.branch();
      case OP.end:
      case OP.delegate:
        return noted.close();
    }
  };
  return {
    noted,
    pop: (): number | undefined => stack.pop(),
    unknown(): void {
      stack = [];
    },
    follow(instruction: Instruction): void {
      const { operation, index } = instruction;
      const effect = stackEffect(instruction);
      if (!effect) {
        stack = [];
        return enterOrLeave(operation);
      }
      stack.length = Math.max(0, stack.length - effect[0]);
      if (operation === OP.set || operation === OP.tee) assign(index);
      if (effect[1] === 1) stack.push(operation === OP.get || operation === OP.tee ? index : undefined);
    },
  };
}

/** The notes that certainly have been made: by local variable and offset. */
function createNotes() {
  const known = new Map<number, Set<number>>();
  /** In the order in which they were made, and how many there were where each open block began. */
  const made: (readonly [local: number, moved: number])[] = [];
  const blocks: number[] = [];
  const branch = (): void => {
    const before = blocks.at(-1)!;
    while (made.length > before) {
      const [local, moved] = made.pop()!;
      known.get(local)?.delete(moved);
    }
  };
  return {
    has: (local: number, moved: number): boolean => known.get(local)?.has(moved) === true,
    add(local: number, moved: number): void {
      const parts = known.get(local);
      if (parts) parts.add(moved);
      else known.set(local, new Set([moved]));
      made.push([local, moved]);
    },
    forget(local: number): void {
      known.delete(local);
    },
    keep(stays: (local: number) => boolean): void {
      for (const local of [...known.keys()]) if (!stays(local)) known.delete(local);
    },
    open(): void {
      blocks.push(made.length);
    },
    branch,
    close(): void {
      // The end of the function itself has no beginning.
      if (blocks.length === 0) return;
      branch();
      blocks.pop();
    },
  };
}
