/** A seeded generator of numbers in [0, 1): mulberry32 (Tommy Ettinger, public domain). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const WORDS =
  'figure table which value does the model report for largest smallest first second paragraph result according method baseline error rate column row section compared score curve axis left right upper lower'.split(
    ' ',
  );
const LABELS = ['text', 'image', 'table'];
const CATEGORIES = ['cs', 'econ', 'eess', 'math', 'physics', 'q-bio', 'q-fin', 'stat'];

/** Lines of the size and shape of SciEGQA's records: about 340 characters, one or two pages, one or two boxes each. */
export function sciegqaLines(count: number, seed = 1): string[] {
  const random = seeded(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = (words: number): string => Array.from({ length: words }, () => pick(WORDS)).join(' ');
  return Array.from({ length: count }, (_, index) => {
    const pages = random() < 0.2 ? 2 : 1;
    const boxes = Array.from({ length: pages }, () =>
      // One below the other: regions of real records do not lie in each other.
      Array.from({ length: random() < 0.3 ? 2 : 1 }, (_, i) => {
        const left = Math.floor(random() * 1200) + 30;
        const top = Math.floor(random() * 500) + 30 + 1600 * i;
        return [left, top, left + 300 + Math.floor(random() * 900), top + 200 + Math.floor(random() * 1000)];
      }),
    );
    const first = 1 + Math.floor(random() * 20);
    return JSON.stringify({
      query: `${text(22)} ${index}?`,
      answer: text(4),
      doc_name: `24${String(Math.floor(random() * 12) + 1).padStart(2, '0')}.${String(index % 3671).padStart(5, '0')}`,
      evidence_page: pages === 2 ? [first, first + 1] : [first],
      bbox: boxes,
      subimg_tpye: boxes.map((list) => list.map(() => pick(LABELS))),
      category: pick(CATEGORIES),
    });
  });
}
