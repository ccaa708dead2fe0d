/**
 * The order of the pages in the site. A page of docs/ that stands nowhere here comes under "More", so that none is lost; a page that is
 * not there is left out.
 */

export interface NavigationGroup {
  readonly title: string;
  /** Paths from the project's root. */
  readonly pages: readonly string[];
}

export const NAVIGATION: readonly NavigationGroup[] = [
  { title: 'Start', pages: ['README.md', 'docs/getting-started.md', 'docs/how-it-works.md'] },
  {
    title: 'In the editor',
    pages: [
      'docs/editor.md',
      'docs/regions.md',
      'docs/tracing.md',
      'docs/fixes.md',
      'docs/suppression.md',
      'docs/bulk.md',
    ],
  },
  {
    title: 'Set up',
    pages: ['docs/configuration.md', 'docs/profiles.md', 'docs/editors.md', 'docs/settings.md'],
  },
  {
    title: 'Automate',
    pages: ['docs/command-line.md', 'docs/ci.md', 'docs/crops.md', 'docs/clusters.md', 'docs/recipes.md'],
  },
  { title: 'Rules', pages: ['docs/rules/README.md', 'docs/false-alarms.md'] },
  { title: 'Trust', pages: ['docs/security.md', 'docs/speed-and-memory.md'] },
  {
    title: 'The project',
    pages: ['CHANGELOG.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'docs/releasing.md'],
  },
];

/** Pages that the site writes from the program itself; they stand in no file. */
export const WRITTEN_FROM_THE_PROGRAM: readonly string[] = ['docs/command-line.md', 'docs/settings.md'];
