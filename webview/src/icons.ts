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
  missing: 'M4 1.75h5.5L12.5 5v9.25H4ZM9.25 1.75V5.25h3.25M6.5 7.5l3.5 3.5M10 7.5 6.5 11',
} as const;

export type IconName = keyof typeof PATHS;

export function icon(name: IconName): SVGSVGElement {
  return svg(
    'svg',
    { class: `icon icon-${name}`, viewBox: '0 0 16 16', 'aria-hidden': 'true', focusable: 'false' },
    svg('path', { d: PATHS[name] }),
  );
}
