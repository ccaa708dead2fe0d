import { RULES, ruleOf } from '../core/rules/registry.ts';
import type { Rule, RuleExample } from '../core/rules/types.ts';
import { createPaint } from './output.ts';
import type { Output } from './output.ts';
import { didYouMean } from './suggest.ts';
import { UsageError } from './usage.ts';

/** What one rule means: title, severity, why it matters, a record on which it fires and one on which it does not. */
export async function explain(code: string, out: Output): Promise<number> {
  const rule = ruleOf(code);
  if (rule === undefined) {
    const known = RULES.map((one) => one.code);
    throw new UsageError(`There is no rule ${code}.${didYouMean(code, known)} \`auditable-qa rules\` lists all.`);
  }
  const paint = createPaint(out.colors);
  const heading = (text: string): string => paint('bold', text);
  const sections = [
    `${heading(rule.code)}: ${rule.title}`,
    `${heading('Severity')}: ${levelInWords(rule)}`,
    rule.why.trim(),
    `${heading('Fires on')}\n${exampleText(rule.fires)}`,
    `${heading('Stays quiet on')}\n${exampleText(rule.quiet)}`,
  ];
  await out.write(`${sections.join('\n\n')}\n`);
  return 0;
}

/** All rules, one a line, or as JSON. */
export async function listRules(format: 'text' | 'json', out: Output): Promise<number> {
  if (format === 'json') {
    const rules = RULES.map(({ code, severity, off, title, needs, why }) => ({
      code,
      severity,
      default: off === true ? 'off' : severity,
      title,
      needs,
      why,
    }));
    await out.write(`${JSON.stringify({ version: 1, rules }, null, 2)}\n`);
    return 0;
  }
  const paint = createPaint(out.colors);
  const width = Math.max(...RULES.map((rule) => rule.code.length));
  const lines = RULES.map((rule) => {
    const level = (rule.off === true ? 'off' : rule.severity).padEnd('warning'.length);
    return `${paint('bold', rule.code.padEnd(width))}  ${level}  ${rule.title}`;
  });
  await out.write(`${lines.join('\n')}\n`);
  return 0;
}

function levelInWords(rule: Rule): string {
  return rule.off === true ? `${rule.severity}, off unless it is turned on` : rule.severity;
}

export function exampleText(example: RuleExample): string {
  const lines = example.lines.map((line) => `    ${typeof line === 'string' ? line : JSON.stringify(line)}`);
  const note = example.note === undefined ? '' : `\n  ${example.note}`;
  return `${lines.join('\n')}\n  (profile ${example.profile})${note}`;
}
