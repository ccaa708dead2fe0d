/** Whether everything that a rule could find in a file was found: only then is a finding that is not there gone. */
import type { Finding } from '../finding.ts';
import type { FileSettings } from '../profile/types.ts';
import { levelOf, RULES, ruleOf } from '../rules/registry.ts';
import type { Need } from '../rules/types.ts';

/** Findings that say that a document was not there to be looked at. */
const UNSEEN: ReadonlySet<string> = new Set([
  'page/document-missing',
  'page/document-unreadable',
  'page/image-missing',
]);

export interface WholeInput {
  readonly settings: FileSettings;
  /** Whether solutions were run and documents looked at. */
  readonly ran: boolean;
  readonly looked: boolean;
  /** Whether all documents were there. */
  readonly allSeen: boolean;
  /** Whether the files before it in its `datasets` entry were looked at; absent: they were. */
  readonly across?: boolean;
}

export function saysUnseen({ code }: Pick<Finding, 'code'>): boolean {
  return UNSEEN.has(code);
}

/** See `LookedAt.whole`. */
export function wholeOf({
  settings,
  ran,
  looked,
  allSeen,
  across = true,
}: WholeInput): (code: string | undefined) => boolean {
  const seesDocuments = looked && allSeen;
  // Where the context comes with the document, so does what is said of evidence.
  const contextApart = settings.context !== undefined && settings.context.length > 0;
  const has: Readonly<Record<Need, boolean>> = {
    text: true,
    record: !contextApart || seesDocuments,
    solution: true,
    run: ran,
    trace: ran && (!contextApart || seesDocuments),
    size: seesDocuments,
    page: seesDocuments,
    file: true,
    dataset: across,
  };
  return (code) => {
    // Without a code it may be the finding of any rule, but for those that nobody has turned on.
    if (code === undefined)
      return seesDocuments && ran && across && RULES.every((rule) => rule.off === true || isOn(rule.code));
    const rule = ruleOf(code);
    if (rule === undefined || !isOn(code) || !has[rule.needs]) return false;
    // Rules across the file on pages and boxes count documents and take sizes from them.
    return rule.needs !== 'file' || seesDocuments || !/^(?:page|box)\//.test(code);
  };

  function isOn(code: string): boolean {
    return levelOf(code, settings.rules) !== 'off';
  }
}
