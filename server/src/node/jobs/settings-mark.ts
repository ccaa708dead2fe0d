import { createHash } from 'node:crypto';
import path from 'node:path';
import type { FileSettings } from '../../core/profile/types.ts';

/** The same for equal settings, also where they lie in another folder of another machine, if that is the working folder there. */
export function settingsMark(settings: FileSettings, cwd: string): string {
  const here = (folder: string | undefined): string | undefined =>
    folder === undefined ? undefined : path.relative(cwd, folder).split(path.sep).join('/');
  const { base, configurationFolder, ...others } = settings;
  const text = JSON.stringify([here(base), here(configurationFolder), others]);
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
