import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ACTIVE_CONTEXT,
  COMMANDS,
  LANGUAGES,
  REDO_ON_DISK_CONTEXT,
  STEPPING_CONTEXT,
  UNDO_ON_DISK_CONTEXT,
} from '../../../client/src/ids.ts';
import { DEFAULT_SETTINGS, LENS_COMMANDS, SETTINGS_SECTION } from '../../../schemas/protocol.ts';
import { VIEW_SCHEME } from '../../../schemas/views.ts';

const ROOT = join(import.meta.dirname, '../../..');

interface Setting {
  readonly order: number;
  readonly scope: string;
  readonly default: unknown;
  readonly markdownDescription: string;
}
interface Manifest {
  readonly icon: string;
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly supported: string; readonly restrictedConfigurations: readonly string[] };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string; readonly category: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
    readonly jsonValidation: readonly { readonly url: string }[];
    readonly walkthroughs: readonly { readonly steps: readonly { readonly media: { readonly markdown: string } }[] }[];
  };
}

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as Manifest;
const { contributes } = manifest;

/** `{ a: { b: 1 } }` as `{ 'a.b': 1 }`; empty objects are values. */
function flat(value: object, prefix: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]) =>
      typeof inner === 'object' && inner !== null && Object.keys(inner).length > 0
        ? Object.entries(flat(inner, `${prefix}${key}.`))
        : [[prefix + key, inner]],
    ),
  );
}

describe('the manifest', () => {
  it('declares exactly the commands of the client, in its category', () => {
    assert.deepEqual(contributes.commands.map(({ command }) => command).sort(), Object.values(COMMANDS).sort());
    for (const { category, title } of contributes.commands) {
      assert.equal(category, 'Auditable QA');
      assert.match(title, /^[A-Z]/);
    }
  });

  it('has every command carried out somewhere in the client', () => {
    const folder = join(ROOT, 'client/src');
    const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => readFileSync(join(folder, name), 'utf8'))
      .join('\n');
    for (const name of Object.keys(COMMANDS)) {
      assert.match(sources, new RegExp(`registerCommand\\(\\s*COMMANDS\\.${name}\\b`), name);
    }
  });

  it('knows the commands that lenses name', () => {
    const known: readonly string[] = Object.values(COMMANDS);
    for (const command of Object.values(LENS_COMMANDS)) assert.ok(known.includes(command), command);
  });

  it('has the settings that the server reads, with the same defaults, described and in order', () => {
    const { properties } = contributes.configuration;
    const clientsOwn = ['trace.server', 'regions.service'].map((name) => `${SETTINGS_SECTION}.${name}`);
    const own = Object.entries(properties).filter(([name]) => !clientsOwn.includes(name));
    const defaults = Object.fromEntries(own.map(([name, setting]) => [name, setting.default]));
    assert.deepEqual(defaults, flat(DEFAULT_SETTINGS, `${SETTINGS_SECTION}.`));
    const orders = Object.values(properties).map(({ order }) => order);
    assert.deepEqual(
      orders,
      orders.map((_, at) => at + 1),
    );
    for (const { markdownDescription } of Object.values(properties)) assert.match(markdownDescription, /\.$/);
  });

  it('offers commands about records only where a profile fits, in documents that show one, or while stepping', () => {
    const recordsView = ['view == auditableQa.records', "webviewId == 'auditableQa.records'"];
    const onDisk = [UNDO_ON_DISK_CONTEXT, REDO_ON_DISK_CONTEXT];
    const places = [
      ACTIVE_CONTEXT,
      STEPPING_CONTEXT,
      ...onDisk,
      `resourceScheme == ${VIEW_SCHEME}`,
      ...recordsView,
      // Record files in the explorer.
      'resourceFilename =~ /^(?!auditable-qa\\.).+\\.(jsonl|ndjson|json)$/i',
      'false',
    ];
    const hidden = (contributes.menus['commandPalette'] ?? []).map(({ command }) => command);
    const { explainRule, showOutput, restartServer, showInRecords, setRegionServiceToken } = COMMANDS;
    const always: readonly string[] = [explainRule, showOutput, restartServer, showInRecords, setRegionServiceToken];
    assert.deepEqual([...hidden, ...always].sort(), Object.values(COMMANDS).sort());
    for (const items of Object.values(contributes.menus)) {
      for (const { when } of items)
        assert.ok(
          places.some((place) => when.includes(place)),
          when,
        );
    }
  });

  it('starts with the languages that the server is told of', () => {
    for (const language of LANGUAGES) assert.ok(manifest.activationEvents.includes(`onLanguage:${language}`));
  });

  it('names files that are there', () => {
    const media = contributes.walkthroughs.flatMap(({ steps }) => steps.map(({ media: { markdown } }) => markdown));
    for (const file of [manifest.icon, ...media, ...contributes.jsonValidation.map(({ url }) => url)]) {
      assert.ok(existsSync(join(ROOT, file)), file);
    }
  });

  it('runs nothing of an untrusted workspace', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, 'limited');
    assert.deepEqual(
      restrictedConfigurations,
      ['solutions.run', 'solutions.runner', 'solutions.python', 'regions.service'].map(
        (name) => `${SETTINGS_SECTION}.${name}`,
      ),
    );
  });

  it('takes the own Python and the region service from the user alone', () => {
    for (const name of ['solutions.runner', 'solutions.python', 'regions.service']) {
      assert.equal(contributes.configuration.properties[`${SETTINGS_SECTION}.${name}`]?.scope, 'machine');
    }
  });
});
