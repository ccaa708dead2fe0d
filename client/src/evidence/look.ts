/** A look at what is chosen in the list: marked where it stands while the list is open, and the view put back after it. */
import * as vscode from 'vscode';
import type { ProtocolRange } from '../../../schemas/protocol.ts';

export interface Look {
  /** Shows a place where its document is visible. */
  at(uri: string, range: ProtocolRange): void;
  /** Takes the mark away; what is shown now stays in view. */
  keep(): void;
  /** Ends it; unless something was kept, what was in view before comes back. */
  end(): void;
}

export function createLook(): Look {
  const mark = vscode.window.createTextEditorDecorationType({
    backgroundColor: new vscode.ThemeColor('editor.rangeHighlightBackground'),
    border: '1px solid',
    borderColor: new vscode.ThemeColor('editor.rangeHighlightBorder'),
    overviewRulerColor: new vscode.ThemeColor('editorOverviewRuler.rangeHighlightForeground'),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });
  const before = new Map<vscode.TextEditor, vscode.Range | undefined>();
  let isKept = false;

  return {
    at(uri, { start, end }) {
      const editor = vscode.window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri);
      if (editor === undefined) return;
      if (!before.has(editor)) before.set(editor, editor.visibleRanges[0]);
      const range = new vscode.Range(start.line, start.character, end.line, end.character);
      editor.setDecorations(mark, [range]);
      editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    },
    keep() {
      isKept = true;
    },
    end() {
      mark.dispose();
      if (isKept) return;
      for (const [editor, range] of before) {
        if (range !== undefined) editor.revealRange(range, vscode.TextEditorRevealType.AtTop);
      }
    },
  };
}
