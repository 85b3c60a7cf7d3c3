import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import type { Snapshot } from '../lib/model/snapshot';
import { headline, node, onStack, visit } from './fixtures';

const test = onStack({ scenario: 'e2e/scenarios/wedged.yaml' });
let wellAt = '';

const shown = (page: Page) => page.getByText(/PAUSED at/);
const second = (page: Page) => new URL(page.url()).searchParams.get('t') ?? '';

test.beforeAll(async ({ browser, stack }) => {
  const page = await browser.newPage({ baseURL: stack.url });
  await page.goto('/');
  await expect(headline(page)).toContainText('Both front-ends answer', { timeout: 30_000 });
  // A picture is told once a second: the next whole one holds what was just read.
  wellAt = new Date(Math.ceil(Date.now() / 1_000) * 1_000).toISOString().replace('.000Z', 'Z');
  await expect(headline(page)).toContainText(/Both front-ends hang/, { timeout: 80_000 });
  await page.close();
});

test('a typed second shows the verdict and the map of that second, and says loudly that it is not live', async ({ page }) => {
  await visit(page, '/');
  await expect(headline(page)).toContainText('hang');
  await page.getByText('go to time').click();
  await page.getByLabel('Second', { exact: true }).fill(wellAt);
  await page.keyboard.press('Enter');
  await expect(headline(page)).toContainText('Both front-ends answer');
  await expect(node(page, 'router')).toHaveAccessibleName(/ok/);
  await expect(shown(page)).toContainText(/live is \+\d/);
  await page.getByRole('button', { name: 'Back to live' }).click();
  await expect(headline(page)).toContainText('hang');
  await expect(shown(page)).toBeHidden();
});

test('keys hold a second, step through the past and go back to live', async ({ page }) => {
  await visit(page, `/?t=${wellAt}`);
  await expect(headline(page)).toContainText('Both front-ends answer');
  await page.keyboard.press(']');
  await expect.poll(() => Date.parse(second(page)) - Date.parse(wellAt)).toBe(1_000);
  await page.keyboard.press('Shift+{');
  await expect.poll(() => Date.parse(second(page)) - Date.parse(wellAt)).toBe(-9_000);
  await page.keyboard.press('l');
  await expect(headline(page)).toContainText('hang');
  await page.keyboard.press('Space');
  await expect(shown(page)).toBeVisible();
});

test('playing walks from before the wedge into it', async ({ page }) => {
  await visit(page, `/?t=${wellAt}`);
  await expect(headline(page)).toContainText('Both front-ends answer');
  await page.getByLabel('Speed').selectOption('60');
  await page.getByRole('button', { name: 'play' }).click();
  await expect(headline(page)).toContainText('hang');
});

test('a click on a chart holds that second on the map too, a drag zooms and z zooms out', async ({ page }) => {
  await visit(page, '/');
  const chart = page.getByRole('slider', { name: 'Running, cursor in time' });
  await expect(chart).toHaveAttribute('aria-valuetext', /highest/);
  await expect(chart.locator('svg').first()).toBeVisible();
  // Measured anew each time: what tells that a second is held stands above and moves it.
  const at = async (share: number) => {
    await chart.scrollIntoViewIfNeeded();
    const box = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    return [box.x + box.width * share, box.y + box.height / 2] as const;
  };
  // The right edge lies past the last told second: it holds that one.
  await page.mouse.click(...(await at(0.99)));
  await expect(shown(page)).toBeVisible();
  await page.keyboard.press('l');
  await expect(shown(page)).toBeHidden();
  await page.mouse.move(...(await at(0.5)));
  await page.mouse.down();
  await page.mouse.move(...(await at(0.9)), { steps: 4 });
  await page.mouse.up();
  await expect(page).toHaveURL(/from=.*to=/);
  const span = () => Date.parse(new URL(page.url()).searchParams.get('to') ?? '') - Date.parse(new URL(page.url()).searchParams.get('from') ?? '');
  const zoomed = span();
  expect(zoomed).toBeLessThan(10 * 60_000);
  await page.keyboard.press('z');
  await expect.poll(span).toBeGreaterThan(zoomed);
});

test('a link copied from a live page shows the same second in a fresh browser', async ({ page, context, browser }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, `/targets/demo.router?t=${wellAt}&theme=dark`);
  await expect(headline(page)).toContainText(/router.*ok/i);
  await page.keyboard.press('c');
  await expect(page.getByText('Copied')).toBeVisible();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  const fresh = await browser.newPage();
  await fresh.goto(link);
  await expect(headline(fresh)).toContainText(/router.*ok/i);
  await expect(shown(fresh)).toContainText('PAUSED at');
  expect(new URL(fresh.url()).searchParams.get('t')).toBe(wellAt);
  await fresh.close();
  await visit(page, '/');
  await page.keyboard.press('c');
  await expect(page.getByText('Copied')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/[?&]t=20/);
});

test('a link copied from any page shows the same page and second in a fresh browser', async ({ page, context, browser, stack }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { stacks } = (await (await page.request.get(`${stack.url}/api/snapshot`)).json()) as Snapshot;
  const probe = stacks[0]?.nodes.find((one) => one.id === 'demo.router')?.strip[0]?.id;
  const fresh = await (await browser.newContext()).newPage();
  for (const path of [
    `/?t=${wellAt}&node=demo.decode&find=probe&theme=light`,
    `/stacks/demo?from=now-5m`,
    '/targets/demo.decode',
    `/probes/${probe}`,
    `/incidents/${stacks[0]?.incident?.id}`,
    '/incidents',
  ]) {
    await visit(page, path);
    await expect(headline(page)).toContainText(/\w/);
    await page.keyboard.press('c');
    await expect(page.getByText('Copied')).toBeVisible();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    const copied = new URL(link);
    expect(copied.pathname).toBe(new URL(page.url()).pathname);
    expect([...copied.searchParams].filter(([, value]) => value.startsWith('now'))).toEqual([]);
    await fresh.goto(link);
    await expect(shown(fresh)).toContainText('PAUSED at');
    await expect(headline(fresh)).toHaveText(/\w/);
    expect(fresh.url()).toBe(link);
    // Of the second that is held both browsers say the same.
    await page.goto(link);
    await expect(shown(page)).toContainText('PAUSED at');
    await expect(headline(fresh)).toHaveText((await headline(page).textContent()) ?? '');
  }
  await fresh.context().close();
});

test('a second that is not kept is told as that, not as a node or stack that is gone', async ({ page }) => {
  for (const path of ['/', '/stacks/demo', '/targets/demo.router']) {
    await visit(page, `${path}?t=2026-01-01T00:00:00Z`);
    await expect(headline(page)).toHaveText('Nothing is kept of this second');
  }
});

test('a number is copied by a click, and from the search by keys', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, `/targets/demo.decode?t=${wellAt}`);
  await page
    .getByRole('row', { name: /num_running_reqs/ })
    .first()
    .getByRole('button')
    .first()
    .click();
  await expect(page.getByText(/^Copied \d+/)).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d+$/);
  await page.keyboard.press('/');
  await page.keyboard.type('copy running of decode');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/^Copied \d+/)).toBeVisible();
});

test('the search leads to a node and to a moment by keyboard alone', async ({ page }) => {
  await visit(page, '/');
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
  await page.keyboard.type('node decode');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/targets\/demo\.decode/);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('now-2s');
  await page.keyboard.press('Enter');
  await expect(shown(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page).toHaveURL(/\/\?t=/);
});

test('the key map opens on ? and switches single keys off, which leaves typing alone anyway', async ({ page }) => {
  await visit(page, '/');
  await page.getByText('go to time').click();
  await page.getByLabel('Second', { exact: true }).pressSequentially('l?');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.getByLabel('Second', { exact: true }).blur();
  await page.keyboard.press('?');
  await page.getByRole('checkbox', { name: /Single keys act/ }).uncheck();
  await page.keyboard.press('Escape');
  await page.keyboard.press('/');
  await expect(page.getByRole('dialog')).toBeHidden();
  await page.keyboard.press('Control+k');
  await expect(page.getByRole('dialog', { name: 'Search' })).toBeVisible();
});

for (const theme of ['dark', 'light'] as const)
  test(`axe finds nothing wrong on any page of the desk, ${theme}`, async ({ page }) => {
    for (const path of ['/', '/stacks/demo', '/targets/demo.router', '/targets/demo.decode', '/incidents', `/?t=${wellAt}`]) {
      await visit(page, `${path}${path.includes('?') ? '&' : '?'}theme=${theme}`);
      await expect(headline(page)).toContainText(/\w/);
      expect.soft(await complaints(page), path).toEqual([]);
    }
  });

/** What axe finds. A card of the map is named shortly (name, address, verdict, since), not by all the numbers in it: the table has those. */
async function complaints(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  return violations.flatMap((one) =>
    one.nodes.map((each) => `${one.id} ${each.target.join(' ')}`).filter((text) => !/^label-content-name-mismatch .*data-slot/.test(text)),
  );
}
