/** Which region service the user has set up, and its token. */
import * as vscode from 'vscode';
import { SETTINGS_SECTION } from '../../../schemas/protocol.ts';
import { COMMANDS } from '../ids.ts';
import type { RegionService } from './region-service.ts';

export interface ServiceSettings extends vscode.Disposable {
  /** One is set, and the workspace is trusted. */
  readonly isSet: boolean;
  /** With its token; undefined: none is set, or the workspace is not trusted. */
  service(): Promise<RegionService | undefined>;
  readonly onDidChange: vscode.Event<void>;
}

const SETTING = `${SETTINGS_SECTION}.regions.service`;
/** Where the token lies: with the address that it is for, so that another service does not get it. */
const SECRET = `${SETTINGS_SECTION}.regions.serviceToken`;

export function createServiceSettings(context: vscode.ExtensionContext): ServiceSettings {
  const changed = new vscode.EventEmitter<void>();

  function address(): string {
    const url = vscode.workspace.getConfiguration().get<string>(SETTING, '').trim();
    return vscode.workspace.isTrusted ? url : '';
  }

  async function token(url: string): Promise<string | undefined> {
    const kept = await context.secrets.get(SECRET);
    if (kept === undefined) return undefined;
    const { origin, token } = JSON.parse(kept) as { readonly origin: string; readonly token: string };
    return origin === originOf(url) ? token : undefined;
  }

  async function askForToken(): Promise<void> {
    const url = address();
    const origin = originOf(url);
    if (origin === undefined) {
      const open = 'Open settings';
      const told = 'Auditable QA: no region service is set; its token is kept for its address.';
      if ((await vscode.window.showInformationMessage(told, open)) === open) {
        await vscode.commands.executeCommand('workbench.action.openSettings', SETTING);
      }
      return;
    }
    const entered = await vscode.window.showInputBox({
      title: `Token of the region service at ${origin}`,
      prompt: 'It is kept in the secret storage of the editor and sent to this address only. Empty: none.',
      password: true,
      ignoreFocusOut: true,
    });
    if (entered === undefined) return;
    if (entered.trim() === '') await context.secrets.delete(SECRET);
    else await context.secrets.store(SECRET, JSON.stringify({ origin, token: entered.trim() }));
  }

  const listeners = [
    changed,
    vscode.commands.registerCommand(COMMANDS.setRegionServiceToken, askForToken),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration(SETTING)) changed.fire();
    }),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
  ];

  return {
    get isSet() {
      return address() !== '';
    },
    async service() {
      const url = address();
      return url === '' ? undefined : { url, token: await token(url) };
    },
    onDidChange: changed.event,
    dispose() {
      for (const listener of listeners) listener.dispose();
    },
  };
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}
