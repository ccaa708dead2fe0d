/** What the documentation reads of the extension's manifest. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Setting {
  readonly order: number;
  readonly type: string;
  readonly scope: string;
  readonly default: unknown;
  readonly markdownDescription: string;
  readonly enum?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

export interface Keybinding {
  readonly command: string;
  readonly key: string;
  readonly mac?: string;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly engines: { readonly vscode: string; readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly keybindings: readonly Keybinding[];
    readonly views: Readonly<Record<string, readonly { readonly id: string; readonly name: string }[]>>;
    readonly configuration: { readonly properties: Readonly<Record<string, Setting>> };
  };
}

export const manifest = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8')) as Manifest;
