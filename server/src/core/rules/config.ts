import type { Rule } from './types.ts';

/**
 * Faults of `auditable-qa.json`. They are found when the configuration is read (`parseConfiguration`), not in record files;
 * the lines of their examples are whole configurations.
 */
export const CONFIGURATION_EXAMPLE = 'auditable-qa.json';

const example = (line: string): Rule['fires'] => ({ profile: CONFIGURATION_EXAMPLE, lines: [line] });

export const configRules = [
  {
    code: 'config/syntax',
    severity: 'error',
    needs: 'text',
    title: 'The configuration is not JSON',
    why: 'auditable-qa.json must be plain JSON: no comments, no comma after the last element. While it cannot be read nothing of it counts, and every file is checked with the defaults.',
    fires: example('{"datasets":[{"files":["*.jsonl"],}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"]}]}'),
  },
  {
    code: 'config/invalid',
    severity: 'error',
    needs: 'text',
    title: 'A value of the configuration cannot be used',
    why: 'The value has the wrong type, is out of its range or is none of the values allowed. It is left out and its default holds; the rest of the configuration counts.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"pageBase":2}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"pageBase":0}]}'),
  },
  {
    code: 'config/unknown-key',
    severity: 'warning',
    needs: 'text',
    title: 'The configuration has a key that means nothing',
    why: 'A key that is not known has no effect. Most often it is misspelled or stands at the wrong depth.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"pageimage":"pages/{page}.png"}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"pageImage":"pages/{page}.png"}]}'),
  },
  {
    code: 'config/unknown-profile',
    severity: 'error',
    needs: 'text',
    title: 'The configuration names a profile that does not exist',
    why: 'A profile is built in or stands under "profiles" of the same file. Without it the profile is recognised from the keys of the records.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"profile":"sciqega"}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"profile":"sciegqa"}]}'),
  },
  {
    code: 'config/unknown-rule',
    severity: 'warning',
    needs: 'text',
    title: 'The configuration sets the level of a rule that does not exist',
    why: 'Rules are named family/name; `auditable-qa rules` lists them all.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"rules":{"answer/mismach":"off"}}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"rules":{"answer/mismatch":"off"}}]}'),
  },
  {
    code: 'config/unsafe-path',
    severity: 'error',
    needs: 'text',
    title: 'A path of the configuration leads out of its folder',
    why: 'Globs and locations are relative to the configuration file and stay below it, so that checking a repository reads nothing but the repository. Absolute paths, "..", drives, addresses and backslashes are refused. To reach documents that lie higher up, move auditable-qa.json to the folder that holds both.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"pdf":"../papers/{doc_name}.pdf"}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"pdf":"papers/{doc_name}.pdf"}]}'),
  },
  {
    code: 'config/untrusted-runner',
    severity: 'warning',
    needs: 'text',
    title: "The configuration asks to run solutions with the user's own Python",
    why: 'A file of a repository must not decide that its programs run outside the sandbox. The wish is ignored and the sandbox is used. To run your own Python, choose it in your own settings or with --solutions python.',
    fires: example('{"datasets":[{"files":["*.jsonl"],"solutions":{"runner":"python"}}]}'),
    quiet: example('{"datasets":[{"files":["*.jsonl"],"solutions":{"runner":"sandbox"}}]}'),
  },
] as const satisfies readonly Rule[];

export type ConfigurationCode = (typeof configRules)[number]['code'];
