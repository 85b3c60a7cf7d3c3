import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { headline, node, onStack, visit } from './fixtures';

const test = onStack({ scenario: 'e2e/scenarios/wedged.yaml' });

const map = (page: Page) => page.getByRole('region', { name: 'Topology map' });
const pinned = (page: Page, name: string) => page.getByRole('complementary', { name: `Pinned: ${name}` });
/** The viewport is fetched when somebody comes to the map; its zoom is what tells it from the plain one. */
const inViewport = async (page: Page) => {
  await node(page, 'prefill').hover();
  await expect(map(page).getByRole('group', { name: 'Zoom of the map' })).toBeVisible();
};

test.beforeAll(async ({ browser, stack }) => {
  const page = await browser.newPage({ baseURL: stack.url });
  await page.goto('/');
  await expect(headline(page)).toContainText(/Both front-ends hang/, { timeout: 90_000 });
  await page.close();
});

test('the viewport takes the place of the plain map without moving a node', async ({ page }) => {
  await page.goto('/');
  const before = await box(page, 'decode');
  await inViewport(page);
  expect(await box(page, 'decode')).toEqual(before);
});

test('a click pins a node beside the map, which tells its verdict and leads to its page and its last probe', async ({ page }) => {
  await visit(page, '/');
  await inViewport(page);
  await node(page, 'router').click();
  await expect(page).toHaveURL(/[?&]node=demo\.router/);
  await expect(pinned(page, 'router')).toContainText(/hanging/i);
  await expect(pinned(page, 'router')).toContainText(/stops at\s*decode/);
  await expect(pinned(page, 'router').getByRole('link', { name: /^Last probe:/ })).toHaveAttribute('href', /\/probes\//);
  await expect(pinned(page, 'router').getByRole('button', { name: 'Run the experiment' })).toBeVisible();
  const { violations } = await new AxeBuilder({ page }).include('main').disableRules('label-content-name-mismatch').analyze();
  expect(violations.map((one) => `${one.id} ${one.nodes.map((each) => each.target.join(' ')).join(', ')}`)).toEqual([]);
  await pinned(page, 'router').getByRole('button', { name: 'unpin' }).click();
  await expect(pinned(page, 'router')).toBeHidden();
});

test('by keys alone a node is pinned, let go and opened, also when the viewport comes meanwhile', async ({ page }) => {
  await visit(page, '/');
  await node(page, 'router').focus();
  await expect(map(page).getByRole('group', { name: 'Zoom of the map' })).toBeVisible();
  await expect(node(page, 'router')).toBeFocused();
  await page.keyboard.press('ArrowDown');
  await expect(node(page, 'mini_lb')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(pinned(page, 'mini_lb')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(pinned(page, 'mini_lb')).toBeHidden();
  await page.keyboard.press('Enter');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/targets\/demo\.mini-lb/);
});

test('looking at a node dims what it has nothing to do with', async ({ page }) => {
  await visit(page, '/');
  await inViewport(page);
  await node(page, 'router').hover();
  await expect(node(page, 'mini_lb')).toHaveCSS('opacity', '0.15');
  await expect(node(page, 'decode')).toHaveCSS('opacity', '1');
});

test('what is not abnormal can be hidden, and the address keeps that', async ({ page }) => {
  await visit(page, '/');
  await inViewport(page);
  await expect(node(page, 'prefill')).toBeVisible();
  await page.getByRole('button', { name: 'abnormal only' }).click();
  await expect(node(page, 'prefill')).toBeHidden();
  await expect(node(page, 'decode')).toBeVisible();
  await expect(map(page).getByRole('status')).toHaveText('3 of 4 shown');
  await page.reload();
  await expect(node(page, 'decode')).toBeVisible();
  await expect(node(page, 'prefill')).toBeHidden();
  await page.getByRole('button', { name: 'path of the last probe' }).click();
  await expect(map(page).getByRole('status')).toHaveText('3 of 4 shown');
  await expect(map(page).getByRole('link', { name: /^(router|mini_lb) / })).toHaveCount(1);
});

test('a typed word dims all that it does not fit', async ({ page }) => {
  await visit(page, '/');
  await page.getByRole('searchbox', { name: 'Find on the map' }).fill('pref');
  await expect(map(page).getByRole('status')).toHaveText('1 found');
  await expect(node(page, 'decode')).toHaveCSS('opacity', '0.15');
  await expect(node(page, 'prefill')).toHaveCSS('opacity', '1');
});

test('the map zooms by its buttons, and the arrows bring a node into sight', async ({ page }) => {
  await visit(page, '/');
  await inViewport(page);
  for (let times = 0; times < 3; times += 1) await page.getByRole('button', { name: 'Zoom into the map' }).click();
  await expect(page.getByRole('button', { name: /Map at 2\d\d %/ })).toBeVisible();
  await node(page, 'router').focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  const focused = page.locator(':focus');
  await expect(focused).toHaveAccessibleName(/^decode/);
  await expect(focused).toBeInViewport({ ratio: 0.9 });
});

test('the search starts an experiment on a front-end, copies its last chat as curl and changes the theme', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, '/?theme=dark');
  await page.keyboard.press('/');
  await page.keyboard.type('curl router');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Copied as curl')).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/curl .*\/v1\/chat\/completions/);
  await page.keyboard.press('/');
  await page.keyboard.type('light');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/theme=light/);
  await page.keyboard.press('/');
  await page.keyboard.type('experiment on router');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/experiments\//);
});

/** Where a node stands, in whole pixels. */
async function box(page: Page, name: string): Promise<number[]> {
  const { x, y, width, height } = (await node(page, name).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  return [x, y, width, height].map(Math.round);
}
