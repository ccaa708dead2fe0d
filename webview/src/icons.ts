/** Line icons on a 16 × 16 grid, drawn for this page in the weight of the workbench's own. */
import { svg } from './dom.ts';

const PATHS = {
  left: 'M9.5 3.5 5 8l4.5 4.5',
  right: 'M6.5 3.5 11 8l-4.5 4.5',
  up: 'M3.5 9.75 8 5.25l4.5 4.5',
  down: 'M3.5 6.25 8 10.75l4.5-4.5',
  minus: 'M3.5 8h9',
  plus: 'M3.5 8h9M8 3.5v9',
  fit: 'M2.5 3v10M13.5 3v10M4.5 8h7M6.5 6l-2 2 2 2M9.5 6l2 2-2 2',
  open: 'M7 3.5H3.5v9h9V9M9.5 2.5h4v4M13.5 2.5 8 8',
  error: 'M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM5.75 5.75l4.5 4.5M10.25 5.75l-4.5 4.5',
  warning: 'M8 2 14.5 13.75h-13ZM8 6.25v3.5M8 11.25v1',
  info: 'M8 1.75a6.25 6.25 0 1 0 0 12.5 6.25 6.25 0 0 0 0-12.5ZM8 7.25v4M8 4.75v1',
  eyeClosed: 'M2.5 6.5C4 8.75 5.75 10 8 10s4-1.25 5.5-3.5M4.5 8.75 3.25 10.75M8 10v2.25M11.5 8.75l1.25 2',
  check: 'M2.75 8.5 6.25 12l7-8',
  cross: 'M4 4l8 8M12 4l-8 8',
  skip: 'M4.5 3.5 11 8l-6.5 4.5ZM12.5 3.5v9',
  strip: 'M2.5 2.75h11v10.5h-11ZM6 2.75v10.5M3.75 5h1M3.75 7.5h1M3.75 10h1',
  allPages: 'M5.5 1.75h5L13 4.25v7.25H5.5ZM5.5 4.25H3v10h7.25V11.5',
  onePage: 'M4 1.75h5.5L12.5 5v9.25H4ZM6 8h4.5M6 10.5h4.5',
  textTool: 'M5.5 2.5c1.5 0 2.5.5 2.5 1.5v8c0 1-1 1.5-2.5 1.5M10.5 2.5C9 2.5 8 3 8 4v8c0 1 1 1.5 2.5 1.5M6.5 8h3',
  search: 'M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9ZM10.25 10.25l3.5 3.5',
  addRegion: 'M2.5 5V2.5H5M8 2.5h2.5V5M2.5 8v2.5H5M11 8v6M8 11h6',
  addRecord: 'M3 3.5h10M3 7h6M3 10.5h4M11.5 8.5v5M9 11h5',
  edit: 'M10.75 2.75l2.5 2.5-7.5 7.5-3.25.75.75-3.25ZM9.25 4.25l2.5 2.5',
  missing: 'M4 1.75h5.5L12.5 5v9.25H4ZM9.25 1.75V5.25h3.25M6.5 7.5l3.5 3.5M10 7.5 6.5 11',
  draw: 'M2.5 4.5v-2h2M7 2.5h2M11.5 2.5h2v2M13.5 7v1.5M2.5 7v2M2.5 11.5v2h2M7 13.5h1.5M12 10v4.5M9.75 12.25h4.5',
  snap: 'M2.5 8h6M6 5.5 8.5 8 6 10.5M11.5 2.5v11',
  magnet: 'M3 2.5v6a5 5 0 0 0 10 0v-6h-3v6a2 2 0 0 1-4 0v-6ZM3 5.5h3M10 5.5h3',
  propose: 'M8 2l1.25 3.75L13 7 9.25 8.25 8 12 6.75 8.25 3 7l3.75-1.25ZM12.5 11v3M11 12.5h3',
  undo: 'M5.5 3 2.5 6l3 3M2.5 6h6.75a4 4 0 0 1 0 8H6',
  redo: 'M10.5 3l3 3-3 3M13.5 6H6.75a4 4 0 0 0 0 8H10',
  duplicate: 'M5.5 5.5h8v8h-8ZM10.5 5.5v-3h-8v8h3',
  trash: 'M2.5 4h11M6 4V2.5h4V4M4 4l.75 9.5h6.5L12 4M6.75 6.5v4.5M9.25 6.5v4.5',
  grow: 'M9.5 6.5l4-4M10.5 2.5h3v3M6.5 9.5l-4 4M2.5 10.5v3h3',
  shrink: 'M13.5 2.5l-4 4M9.5 3.5v3h3M2.5 13.5l4-4M3.5 9.5h3v3',
  text: 'M3 4V2.75h10V4M8 2.75v10.5M6.25 13.25h3.5',
  coordinates: 'M3 1.5V13h11.5M1.5 3.25 3 1.5l1.5 1.75M12.75 11.5 14.5 13l-1.75 1.5M6.25 5.25h5.5v4.5h-5.5Z',
  crop: 'M4.5 1.5v10h10M1.5 4.5h10v10',
  save: 'M8 2.5v7M5 7l3 3 3-3M2.5 10.5v3h11v-3',
  copy: 'M5.5 4V2.5h8v9H12M2.5 4.5h8v9h-8Z',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return svg(
    'svg',
    { class: `icon icon-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] }),
  );
}
