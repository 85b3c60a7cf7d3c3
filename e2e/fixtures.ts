import { test as base, expect, type Page } from '@playwright/test';
import { type Stack, type StackOptions, startStack } from './stack';

/** A test file's stack: started before its first test, stopped after its last. A page that throws fails its test. */
export function onStack(options: StackOptions) {
  const test = base.extend<{ noPageErrors: undefined }, { stack: Stack }>({
    stack: [
      async ({ browserName }, use) => {
        if (browserName !== 'chromium') throw new Error(`these tests are written for Chromium, not for ${browserName}`);
        const stack = await startStack(options);
        await use(stack);
        await stack.stop();
      },
      { scope: 'worker', timeout: 120_000 },
    ],
    baseURL: async ({ stack }, use) => use(stack.url),
    noPageErrors: [
      async ({ page }, use) => {
        const errors: string[] = [];
        page.on('pageerror', (error) => errors.push(error.message));
        await use(undefined);
        expect(errors).toEqual([]);
      },
      { auto: true },
    ],
  });
  test.describe.configure({ mode: 'serial' });
  return test;
}

/** The one sentence on the stack. */
export function headline(page: Page) {
  return page.getByRole('heading', { level: 1 });
}

/** A node of the map, by its name. */
export function node(page: Page, name: string) {
  return page.getByRole('region', { name: 'Topology map' }).getByRole('link', { name: new RegExp(`^${name} `) });
}

/** Pins a node on the map and follows the way to its page. */
export async function openNode(page: Page, name: string): Promise<void> {
  await node(page, name).click();
  await page.getByRole('link', { name: `Page of ${name}` }).click();
  // The page is there, and not only on its way.
  await expect(headline(page)).toContainText(new RegExp(`^${name} `));
}

/** Opens a page of the desk and waits until it hears keys: one pressed before is nobody's. */
export async function visit(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await page.locator('html[data-keys=heard]').waitFor({ state: 'attached' });
}
