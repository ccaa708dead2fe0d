/** The preview's document. Pure, so that tests serve the very same page under the very same policy. */

export interface PreviewPage {
  /** What the host calls its own resources in a policy, e.g. `https://*.vscode-cdn.net`. */
  readonly cspSource: string;
  /** Fresh for every document. */
  readonly nonce: string;
  readonly script: string;
  readonly style: string;
  /** Folder of pdf.js's data, with a slash at its end. */
  readonly resources: string;
  /** How long any single step of showing a page may take before the page says so. */
  readonly timeoutMs?: number;
}

/**
 * Why each source: the worker is a blob made from text inside the script; pdf.js's decoders are WebAssembly; documents,
 * fonts and character maps are fetched from the host; page images come from there as well; embedded fonts are handed
 * to the browser as data.
 */
export function previewPolicy({ cspSource, nonce }: Pick<PreviewPage, 'cspSource' | 'nonce'>): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src ${cspSource}`,
    `img-src ${cspSource} blob: data:`,
    `font-src ${cspSource} blob: data:`,
    `worker-src blob:`,
    `connect-src ${cspSource}`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

function attribute(text: string): string {
  return text.replace(/&/gu, '&amp;').replace(/"/gu, '&quot;').replace(/</gu, '&lt;');
}

/** The document as text. It holds addresses only; everything a record says arrives later, as messages. */
export function previewHtml(page: PreviewPage): string {
  const timeout = page.timeoutMs === undefined ? '' : ` data-timeout-ms="${page.timeoutMs}"`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${attribute(previewPolicy(page))}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Evidence</title>
<link rel="stylesheet" href="${attribute(page.style)}">
</head>
<body data-resources="${attribute(page.resources)}"${timeout}>
<script type="module" nonce="${page.nonce}" src="${attribute(page.script)}"></script>
</body>
</html>
`;
}
