import type { ProfileDefinition } from '../../../../schemas/configuration.ts';
import docmathEval from './builtin/docmath-eval.json' with { type: 'json' };
import financebench from './builtin/financebench.json' with { type: 'json' };
import financemath from './builtin/financemath.json' with { type: 'json' };
import findver from './builtin/findver.json' with { type: 'json' };
import finqa from './builtin/finqa.json' with { type: 'json' };
import mmlongbenchDoc from './builtin/mmlongbench-doc.json' with { type: 'json' };
import sciegqa from './builtin/sciegqa.json' with { type: 'json' };
import tatQa from './builtin/tat-qa.json' with { type: 'json' };
import { defineProfile } from './definition.ts';
import type { Profile } from './types.ts';

/** The files hold what a user's profile may hold; a test holds them to the configuration's schema. */
function load(name: string, definition: unknown): Profile {
  return defineProfile(name, definition as ProfileDefinition);
}

export const BUILTIN_PROFILES: readonly Profile[] = [
  load('docmath-eval', docmathEval),
  load('sciegqa', sciegqa),
  load('findver', findver),
  load('financemath', financemath),
  load('finqa', finqa),
  load('tat-qa', tatQa),
  load('financebench', financebench),
  load('mmlongbench-doc', mmlongbenchDoc),
];

export function builtinProfile(name: string): Profile | undefined {
  return BUILTIN_PROFILES.find((profile) => profile.name === name);
}
