import type { LocalFinding } from '../finding.ts';

/** At one pointer the first code of a pair silences the second: it says the same, more precisely. */
const MORE_SPECIFIC: Readonly<Record<string, readonly string[]>> = {
  'answer/number-as-text': ['schema/type', 'schema/constraint'],
  'file/non-finite-number': ['schema/type', 'schema/constraint'],
  'solution/code-fence': ['solution/syntax', 'solution/entry-point'],
  'solution/double-escaped': ['solution/syntax', 'solution/entry-point'],
  'solution/syntax': ['solution/entry-point'],
  // A name that is misspelled where it is read makes the one that was meant look unused.
  'solution/raises': ['solution/unused-value'],
  'solution/forbidden-import': ['solution/unavailable-import'],
  'page/document-missing': ['page/image-missing'],
  'page/document-unreadable': ['page/image-missing'],
};

/** Codes that silence schema findings about nesting anywhere below their own pointer. */
const NESTING = 'box/shape';
const SCHEMA = new Set(['schema/type', 'schema/constraint']);

/** Codes that may silence others. */
export const SILENCING: ReadonlySet<string> = new Set([...Object.keys(MORE_SPECIFIC), NESTING]);

/** Leaves out findings that repeat what a more specific one at the same place says. */
export function applyPrecedence(findings: LocalFinding[], record: unknown): LocalFinding[] {
  if (findings.length < 2) return findings;
  const silenced = new Set<LocalFinding>();
  for (const strong of findings) {
    const weaker = MORE_SPECIFIC[strong.code];
    for (const weak of findings) {
      if (weak === strong) continue;
      if (weaker?.includes(weak.code) && weak.pointer === strong.pointer) silenced.add(weak);
      if (strong.code === NESTING && SCHEMA.has(weak.code) && isNesting(weak.pointer, strong.pointer, record)) {
        silenced.add(weak);
      }
    }
  }
  return silenced.size === 0 ? findings : findings.filter((finding) => !silenced.has(finding));
}

/** Whether a schema finding below a list of boxes is about a list standing where none belongs, or the reverse. */
function isNesting(pointer: string, boxes: string, record: unknown): boolean {
  if (pointer !== boxes && !pointer.startsWith(`${boxes}/`)) return false;
  const depth = pointer.slice(boxes.length).split('/').length - 1;
  return depth < 3 || Array.isArray(valueAt(record, pointer));
}

function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split('/').slice(1)) {
    if (typeof value !== 'object' || value === null) return undefined;
    value = (value as Record<string, unknown>)[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return value;
}
