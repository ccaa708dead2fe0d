import { ShowMessageNotification } from 'vscode-languageserver/node';
import type { Connection, MessageType } from 'vscode-languageserver/node';

/** A message on the screen. The library's own way is a request: some editors ask the user to answer one. */
export function tell(connection: Connection, type: MessageType, message: string): void {
  void connection.sendNotification(ShowMessageNotification.type, { type, message });
}
