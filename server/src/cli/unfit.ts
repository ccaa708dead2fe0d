/** What is told of a file that no profile fits: with the way out. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { CONFIGURATION_FILE } from '../../../schemas/configuration.ts';
import type { NoProfile } from '../core/profile/settings.ts';
import type { Installation } from './job.ts';
import { manifestOf } from './manifest.ts';

export function unfitText({ message, nearest }: NoProfile, installation: Installation): string {
  const name = nearest?.name ?? 'NAME';
  return `${message} To check it all the same, name its profile with --profile ${name}; for a format of your own, say under "profiles" in ${CONFIGURATION_FILE} which one it extends ("extends") and where its fields lie ("fields"): ${profilesPage(installation)}`;
}

/** Address of the page on profiles, which lies beside the built program. */
function profilesPage(installation: Installation): string {
  const { homepage } = manifestOf(installation);
  const page = path.join(path.dirname(installation.distFolder), 'docs', 'profiles.md');
  if (homepage !== undefined) return `${homepage.replace(/\/?(?:#.*)?$/, '')}/docs/profiles.md`;
  return existsSync(page) ? page : 'docs/profiles.md';
}
