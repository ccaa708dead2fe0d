import { createChecker } from '../../../server/src/core/checker.ts';
import type { Finding } from '../../../server/src/core/finding.ts';
import type { CheckedText } from '../../../server/src/core/pipeline.ts';
import type { DocumentFacts, RunResult } from '../../../server/src/core/ports.ts';
import { settingsFor } from '../../../server/src/core/profile/settings.ts';
import { createNesting } from '../../../server/src/core/text/nested.ts';
import { readRecords } from '../../../server/src/core/text/reader.ts';

export interface CheckedRecord {
  readonly checked: CheckedText;
  readonly findings: readonly Finding[];
  readonly verdict: string | undefined;
}

/** Records of a file's text through the whole pipeline, with facts made by hand; `profile` undefined: recognised. */
export function checkFileText(
  text: string,
  profile?: string,
  facts: (checked: CheckedText) => { run?: RunResult; document?: DocumentFacts } = () => ({}),
): CheckedRecord[] {
  const form = text.trimStart().startsWith('[') ? 'json' : 'lines';
  const { slots } = readRecords(text, form);
  const samples = slots.map((slot) => JSON.parse(slot.text) as unknown);
  const settings = settingsFor({
    filePath: '/data/a.json',
    samples,
    ...(profile !== undefined && { overrides: { profile } }),
  });
  if (!('profile' in settings)) throw new Error(settings.message);
  const checker = createChecker(settings);
  return createNesting(settings.profile.records)
    .expand(slots)
    .map((slot) => {
      const checked = checker.checkText(slot.text, slot.outer);
      const given = facts(checked);
      return {
        checked,
        findings: checker.findings(slot, checked, given),
        verdict: checker.outcome(checked, given.run)?.verdict,
      };
    });
}
