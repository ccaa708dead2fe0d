/** What the pointer does on pages. One tool at a time; whoever lays something over pages asks here whether it is its turn. */

/** `select`: regions are chosen, moved and resized. `draw`: a new one is drawn. `text`: words of the page are selected. */
export type Tool = 'select' | 'draw' | 'text';

export interface ToolState {
  current: () => Tool;
  choose: (tool: Tool) => void;
  /** The same tool again goes back to `select`. */
  toggle: (tool: Tool) => void;
  /** Called on changes only. Returns what ends it. */
  watch: (changed: (tool: Tool) => void) => () => void;
}

/** The tool in use stands as `data-tool` at `root` too, for style sheets. */
export function createTool(root: HTMLElement = document.body): ToolState {
  let current: Tool = 'select';
  const watchers = new Set<(tool: Tool) => void>();
  root.dataset['tool'] = current;
  const choose = (tool: Tool): void => {
    if (tool === current) return;
    current = tool;
    root.dataset['tool'] = tool;
    for (const watcher of [...watchers]) watcher(tool);
  };
  return {
    current: () => current,
    choose,
    toggle: (tool) => choose(tool === current ? 'select' : tool),
    watch(changed) {
      watchers.add(changed);
      return () => {
        watchers.delete(changed);
      };
    },
  };
}
