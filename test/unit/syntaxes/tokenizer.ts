/** Grammars as the editor applies them: its own for JSON and Python, and those of this project from the manifest. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import oniguruma from 'vscode-oniguruma';
import textmate from 'vscode-textmate';
import type { IGrammar, StateStack } from 'vscode-textmate';

interface Contribution {
  readonly scopeName: string;
  readonly path: string;
  readonly injectTo?: readonly string[];
}

const root = path.join(import.meta.dirname, '../../..');
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  contributes: { grammars: Contribution[] };
};

/** The extensions of the VS Code that `npm start` and the tests use; undefined before it was set up. */
export function editorExtensions(): string | undefined {
  const home = path.join(root, '.vscode-test');
  const version = existsSync(home) ? readdirSync(home).find((name) => name.startsWith('code-server-')) : undefined;
  const folder = version && path.join(home, version, 'lib/vscode/extensions');
  return folder !== undefined && existsSync(path.join(folder, 'json/syntaxes')) ? folder : undefined;
}

export interface Token {
  readonly text: string;
  /** Innermost last. */
  readonly scopes: readonly string[];
}

/** What the editor takes a token for when it closes quotation marks, matches brackets and suggests. */
export const STANDARD_TYPES = ['other', 'comment', 'string', 'regex'] as const;

export interface Tokenizer {
  /** Tokens of each line; what a line leaves open goes on in the next. */
  tokens(text: string): Token[][];
  /** Per character of a line on its own. */
  standardTypes(line: string): (typeof STANDARD_TYPES)[number][];
}

const NEEDED = ['json', 'python'];

export async function createTokenizer(scopeName: string, extensions: string): Promise<Tokenizer> {
  const wasm = readFileSync(createRequire(import.meta.url).resolve('vscode-oniguruma/release/onig.wasm'));
  await oniguruma.loadWASM(new Uint8Array(wasm).buffer).catch(() => undefined);
  const grammars = new Map<string, string>();
  for (const name of NEEDED) {
    const folder = path.join(extensions, name, 'syntaxes');
    for (const file of readdirSync(folder)) {
      const { scopeName: scope } = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Contribution;
      grammars.set(scope, path.join(folder, file));
    }
  }
  for (const grammar of manifest.contributes.grammars) grammars.set(grammar.scopeName, path.join(root, grammar.path));
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar(scope) {
      const file = grammars.get(scope);
      return Promise.resolve(file === undefined ? null : textmate.parseRawGrammar(readFileSync(file, 'utf8'), file));
    },
    getInjections: (scope) =>
      manifest.contributes.grammars.filter(({ injectTo }) => injectTo?.includes(scope)).map((one) => one.scopeName),
  });
  const grammar = (await registry.loadGrammar(scopeName)) as IGrammar;
  return {
    tokens(text) {
      let state: StateStack = textmate.INITIAL;
      return text.split('\n').map((line) => {
        const { tokens, ruleStack } = grammar.tokenizeLine(line, state);
        state = ruleStack;
        return tokens
          .map(({ startIndex, endIndex, scopes }) => ({ text: line.slice(startIndex, endIndex), scopes }))
          .filter((token) => token.text !== '');
      });
    },
    standardTypes(line) {
      const { tokens } = grammar.tokenizeLine2(line, textmate.INITIAL);
      const types: (typeof STANDARD_TYPES)[number][] = [];
      for (let at = 0; at < tokens.length; at += 2) {
        const type = STANDARD_TYPES[(tokens[at + 1]! >>> 8) & 0b11]!;
        types.length = tokens[at + 2] ?? line.length;
        types.fill(type, tokens[at]!);
      }
      return types;
    },
  };
}
