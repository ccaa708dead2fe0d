/** The document of the Records view. Pure, so that tests serve the very same page under the very same policy. */

export interface RecordsPage {
  /** What the host calls its own resources in a policy, e.g. `https://*.vscode-cdn.net`. */
  readonly cspSource: string;
  /** Fresh for every document. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
}

/** The page loads its script and its style sheet, and nothing else: everything arrives as messages. */
export function recordsPolicy({ cspSource, nonce }: Pick<RecordsPage, 'cspSource' | 'nonce'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

function attribute(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/"/gu, '&quot;').replace(/</gu, '&lt;');
}

/** The document as text. It holds addresses only; everything a record says arrives later, as messages. */
export function recordsHtml(page: RecordsPage): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(recordsPolicy(page))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Records</title>
<link rel="stylesheet" href="${attribute(page.style)}">
</head>
<body>
<script type="module" nonce="${page.nonce}" src="${attribute(page.script)}"></script>
</body>
</html>
`;
}
