/** The colours of themes.ts with those that only the Records view names, after the same themes; the real ones are seen in test/editor. */
import type { Theme } from './themes.ts';
import { THEMES } from './themes.ts';

const MORE: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  light: {
    'panel-background': '#f8f8f8',
    'input-background': '#ffffff',
    'input-border': '#cecece',
    'input-foreground': '#3b3b3b',
    'input-placeholderForeground': '#767676',
    'dropdown-background': '#ffffff',
    'dropdown-border': '#cecece',
    'dropdown-foreground': '#3b3b3b',
    'list-activeSelectionBackground': '#e8e8e8',
    'list-activeSelectionForeground': '#000000',
    'list-inactiveSelectionBackground': '#e4e6f1',
    'list-focusOutline': '#005fb8',
    'diffEditor-insertedTextBackground': '#9ccc2c40',
    'diffEditor-removedTextBackground': '#ff000033',
  },
  dark: {
    'panel-background': '#181818',
    'input-background': '#313131',
    'input-border': '#3c3c3c',
    'input-foreground': '#cccccc',
    'input-placeholderForeground': '#989898',
    'dropdown-background': '#313131',
    'dropdown-border': '#3c3c3c',
    'dropdown-foreground': '#cccccc',
    'list-activeSelectionBackground': '#04395e',
    'list-activeSelectionForeground': '#ffffff',
    'list-inactiveSelectionBackground': '#37373d',
    'list-focusOutline': '#0078d4',
    'diffEditor-insertedTextBackground': '#9ccc2c33',
    'diffEditor-removedTextBackground': '#ff000033',
  },
  'high-contrast': {
    'panel-background': '#000000',
    'input-background': '#000000',
    'input-border': '#6fc3df',
    'input-foreground': '#ffffff',
    'dropdown-background': '#000000',
    'dropdown-border': '#6fc3df',
    'dropdown-foreground': '#ffffff',
    'list-focusOutline': '#f38518',
  },
  'high-contrast-light': {
    'panel-background': '#ffffff',
    'input-background': '#ffffff',
    'input-border': '#0f4a85',
    'input-foreground': '#292929',
    'dropdown-background': '#ffffff',
    'dropdown-border': '#0f4a85',
    'dropdown-foreground': '#292929',
    'list-activeSelectionBackground': '#0f4a8519',
    'list-inactiveSelectionBackground': '#0f4a8519',
    'list-focusOutline': '#006bbd',
  },
};

export const RECORDS_THEMES: readonly Theme[] = THEMES.map((theme) => ({
  ...theme,
  variables: { ...theme.variables, ...MORE[theme.name] },
}));
