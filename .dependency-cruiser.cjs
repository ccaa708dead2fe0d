/** Who may import whom. ARCHITECTURE.md explains the rooms; the reason stands in each message. */
const only = (name, from, allowed, comment, packages) => [
  {
    name: `${name}-rooms`,
    comment,
    severity: 'error',
    from: { path: from },
    to: { path: '^(schemas|server/src|client|webview|test|scripts)/', pathNot: [from, ...allowed] },
  },
  ...(packages
    ? [
        {
          name: `${name}-packages`,
          comment: `${comment} A new package for this room is added here on purpose.`,
          severity: 'error',
          from: { path: from },
          to: { path: '^node_modules/', pathNot: packages.map((p) => `^node_modules/${p}/`) },
        },
      ]
    : []),
];
const noNode = (name, from, comment) => ({
  name: `${name}-no-node`,
  comment,
  severity: 'error',
  from: { path: from },
  to: { dependencyTypes: ['core'] },
});

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Two files that need each other are one file, or a third is missing.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'unresolvable',
      comment: 'The import leads nowhere.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^vscode$', '\\.generated\\.js$'] },
    },
    ...only('schemas', '^schemas/', [], 'schemas is what parts agree on; it depends on nothing.', []),
    noNode('schemas', '^schemas/', 'schemas is read in the editor, the server and the page alike.'),
    ...only(
      'core',
      '^server/src/core/',
      ['^schemas/'],
      'The core is pure: functions over data, so that editor, command line and tests show the same finding.',
      ['jsonc-parser', 'ajv', 'ajv-formats', '@lezer', 'fastest-levenshtein', 'minisearch'],
    ),
    noNode('core', '^server/src/core/', 'The core knows no file and no process; adapters live in server/src/node.'),
    ...only(
      'node',
      '^server/src/node/',
      ['^schemas/', '^server/src/core/'],
      'Adapters serve the ports of the core and know no shell.',
    ),
    ...only(
      'lsp',
      '^server/src/lsp/',
      ['^schemas/', '^server/src/core/', '^server/src/node/'],
      'The language server is a shell around the core and its adapters.',
    ),
    ...only(
      'cli',
      '^server/src/cli/',
      ['^schemas/', '^server/src/core/', '^server/src/node/', '^server/src/lsp/main\\.ts$'],
      'The command line is a shell; of the language server it knows the start only.',
    ),
    ...only('client', '^client/', ['^schemas/'], 'The extension talks to the server by messages, never by import.', [
      'vscode-languageclient',
      'vscode-uri',
      '@types',
    ]),
    ...only('webview', '^webview/', ['^schemas/'], 'The page knows only its messages, not its host.', ['pdfjs-dist']),
    noNode('webview', '^webview/', 'The page runs in a browser.'),
    {
      name: 'webview-preview-rooms',
      comment: 'Parts of the preview know each other through main.ts alone; what two of them need stands beside it.',
      severity: 'error',
      from: { path: '^webview/src/(coordinates|document|record|records|regions)/' },
      to: { path: '^webview/src/[^/]+/', pathNot: '^webview/src/$1/' },
    },
    {
      name: 'not-to-test',
      comment: 'Product code does not need tests to run.',
      severity: 'error',
      from: { path: '^(schemas|server|client|webview)/' },
      to: { path: '^test/' },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: ['^dist/', '^out/', '\\.vscode-test/'] },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js', '.mjs', '.json'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
