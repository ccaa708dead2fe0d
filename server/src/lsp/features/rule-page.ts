import type { RuleSummary } from '../../../../schemas/protocol.ts';
import { RULES, ruleOf } from '../../core/rules/registry.ts';
import type { RuleExample } from '../../core/rules/types.ts';

export function ruleList(): RuleSummary[] {
  return RULES.map(({ code, severity, title }) => ({ code, severity, title }));
}

/** A rule as a Markdown page; null where no rule has the code. */
export function rulePage(code: string): string | null {
  const rule = ruleOf(code);
  if (rule === undefined) return null;
  return [
    `# ${rule.code}`,
    `**${rule.title}**`,
    `Severity: ${rule.severity}${rule.off === true ? ' (off by default)' : ''}`,
    rule.why.trim(),
    '## Reported',
    example(rule.fires),
    '## Not reported',
    example(rule.quiet),
    `Another level for it: \`"rules": { "${rule.code}": "off" }\` in an entry of \`auditable-qa.json\`.`,
  ].join('\n\n');
}

function example({ lines, note }: RuleExample): string {
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line))).join('\n');
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${note === undefined ? '' : `${note}\n\n`}${fence}json\n${text}\n${fence}`;
}
