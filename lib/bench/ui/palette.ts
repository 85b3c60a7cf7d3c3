/** The custom properties of both themes as `app/globals.css` sets them; a system that asks for dark must get what the theme `dark` gets. */
export type Palettes = { light: Map<string, string>; dark: Map<string, string>; darkBySystem: Map<string, string> };

/** Reads the palettes out of the style sheet. */
export function palettes(css: string): Palettes {
  return {
    light: properties(block(css, /^:root \{/m)),
    dark: properties(block(css, /^:root\[data-theme="dark"\] \{/m)),
    darkBySystem: properties(block(css, /:root:not\(\[data-theme="light"\]\) \{/)),
  };
}

function block(css: string, head: RegExp): string {
  const found = head.exec(css);
  if (!found) throw new Error(`the style sheet has no ${head}`);
  const from = found.index + found[0].length;
  return css.slice(from, css.indexOf('}', from));
}

function properties(body: string): Map<string, string> {
  return new Map([...body.matchAll(/--([\w-]+):\s*([^;]+);/g)].map(([, name = '', value = '']) => [name, value.trim()]));
}
