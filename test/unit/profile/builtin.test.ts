import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { BUILTIN_PROFILES, builtinProfile } from '../../../server/src/core/profile/builtin.ts';
import { parseConfiguration } from '../../../server/src/core/profile/configuration.ts';

describe('built-in profiles', () => {
  for (const { name } of BUILTIN_PROFILES) {
    it(`${name} is a file that a user could have written`, () => {
      const path = new URL(`../../../server/src/core/profile/builtin/${name}.json`, import.meta.url);
      const text = `{"profiles":{"own":${readFileSync(path, 'utf8')}}}`;
      const { profiles, faults } = parseConfiguration(text);
      assert.deepEqual(faults, []);
      const own = profiles.find((profile) => profile.name === 'own');
      assert.deepEqual({ ...own, name }, builtinProfile(name));
    });
  }

  it('requires what each dataset always has', () => {
    assert.deepEqual(builtinProfile('docmath-eval')?.required, ['question']);
    assert.deepEqual(builtinProfile('sciegqa')?.required, ['question', 'answer', 'document', 'pages', 'boxes']);
  });

  it('reads relative boxes of sciegqa in 0–1000 and boxes in pixels at 300 dpi', () => {
    const profile = builtinProfile('sciegqa');
    assert.deepEqual(profile?.coordinates, { space: 'pixel', dpi: 300, order: 'xyxy', origin: 'top-left' });
    assert.equal(profile?.relativeCoordinates?.space, 'permille');
  });
});
