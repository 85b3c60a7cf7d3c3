import { type Browser, expect, type Page } from '@playwright/test';
import { headline, node, onStack, openNode, visit } from './fixtures';

const test = onStack({ scenario: 'e2e/scenarios/wedged.yaml' });
let wellAt = '';
let experiment = '';

test('the wedge is told on the open page, without a reload', async ({ page }) => {
  await visit(page, '/');
  await expect(headline(page)).toContainText('Both front-ends answer', { timeout: 30_000 });
  wellAt = new Date().toISOString();
  await expect(headline(page)).toContainText(/Both front-ends hang.*stop at decode/, { timeout: 80_000 });
});

test('the first paint has the truth in it, also without JavaScript', async ({ browser, stack }) => {
  const page = await without(browser, stack.url);
  await expect(headline(page)).toContainText(/hang.*stop at decode/);
  await expect(node(page, 'router')).toHaveAccessibleName(/hanging/);
  await expect(page.getByText(/decode/).first()).toBeVisible();
  await page.context().close();
});

test('a node leads to its page, and a probe there to its record with the command to repeat it', async ({ page }) => {
  await visit(page, '/');
  await openNode(page, 'router');
  await expect(headline(page)).toContainText(/router.*hanging/i);
  await expect(page).toHaveURL(/\/targets\/demo\.router/);
  await page
    .getByRole('list', { name: /Last probes of router/ })
    .getByRole('link', { name: /byte/ })
    .last()
    .click();
  await expect(page).toHaveURL(/\/probes\//);
  await expect(page.getByRole('button', { name: 'Copy as curl' })).toBeVisible();
  await expect(page.getByText(/curl .*\/v1\/chat\/completions/)).toBeVisible();
  await expect(page.getByText(/past its deadline/)).toBeVisible();
});

test('the likeliest suspicion is open, with what speaks for it and what would settle it', async ({ page }) => {
  await visit(page, '/');
  await expect(page.getByRole('heading', { name: 'What it may be' })).toBeVisible();
  await expect(page.getByRole('list', { name: 'speaks for' }).first()).toBeVisible();
  await expect(page.getByText(/next:/).first()).toBeVisible();
});

test('why the likeliest suspicion leads and the others lost is read side by side, and over time', async ({ page }) => {
  await visit(page, '/');
  await expect(page.getByRole('list', { name: 'speaks for' }).first()).toContainText(/scheduler of decode last spoke \d+ s ago/);
  await expect(page.getByText(/log-odds \+\d.* beforehand, .* for, .* against/).first()).toBeVisible();
  await page.getByText(/less likely$/).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'front-end-stuck' })).toContainText(/but /);
  await expect(page.getByRole('heading', { name: 'Suspicions over time' })).toBeVisible();
  await expect(page.getByRole('img', { name: /Log-odds of the suspicions: decode-stuck from/ })).toBeVisible();
});

test('a sentence of evidence leads to the series at the moment of its reading, and to the record of its probe', async ({ page }) => {
  await page.goto('/');
  const speaksFor = page.getByRole('list', { name: 'speaks for' }).first();
  await speaksFor.getByRole('listitem').filter({ hasText: 'last spoke' }).getByRole('link', { name: 'series' }).click();
  await expect(page).toHaveURL(/\/targets\/demo\.decode\?t=.*#loads_age_seconds/);
  await expect(headline(page)).toContainText(/decode.*hanging/i);
  await expect(page.getByRole('slider', { name: 'loads_age_seconds@loads, cursor in time' })).toBeInViewport();
  await page.goBack();
  await speaksFor.getByRole('link', { name: 'probe' }).first().click();
  await expect(page).toHaveURL(/\/probes\//);
  await expect(page.getByText(/past its deadline/)).toBeVisible();
});

test('what each green health proves, who has answered lately, and what each series is called are told beside the verdict', async ({ page }) => {
  await page.goto('/');
  const truth = page.getByRole('table', { name: 'Health URLs, their answers and what these prove' });
  await expect(truth.getByRole('row').filter({ hasText: 'mini_lb' }).first()).toContainText(/\/health.*200.*constant in the balancer.*asked none/);
  await expect(truth.getByRole('row').filter({ hasText: 'decode' }).filter({ hasText: '/ping' })).toContainText('last /health');
  await expect(page.getByRole('table', { name: /Ranks and prefill-decode pairs/ }).getByRole('row', { name: /prefill with decode/ })).toContainText('yes');
  await page.goto('/targets/demo.decode');
  const series = page.getByRole('table', { name: 'All series of decode' });
  await expect(series.getByRole('row', { name: /^time_to_first_token_count/ })).toContainText('sglang:time_to_first_token_seconds_count');
  await expect(series.getByText('not exported').first()).toBeVisible();
});

test('the map is walked by keys, a node pinned by Enter and opened by a second one', async ({ page }) => {
  await visit(page, '/');
  await expect(node(page, 'router')).toBeVisible();
  await tabTo(page, 'router|mini_lb');
  await page.keyboard.press('ArrowRight');
  const focused = page.locator(':focus');
  await expect(focused).toHaveAccessibleName(/^prefill/);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('complementary', { name: 'Pinned: prefill' })).toContainText('health says');
  await expect(page).toHaveURL(/[?&]node=demo\.prefill/);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/targets\/demo\.prefill/);
});

test('both themes follow the room, and a theme in the address wins', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await visit(page, '/');
  const light = await ink(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => ink(page)).not.toBe(light);
  await page.getByRole('button', { name: /Light/ }).click();
  await expect(page).toHaveURL(/theme=light/);
  await expect.poll(() => ink(page)).toBe(light);
  await visit(page, '/?theme=light');
  await expect.poll(() => ink(page)).toBe(light);
});

test('a moment in the address shows what was shown then, and goes along to other pages', async ({ page }) => {
  await visit(page, `/?t=${wellAt}`);
  await expect(headline(page)).toContainText('Both front-ends answer');
  await openNode(page, 'router');
  await expect(page).toHaveURL(/[?&]t=/);
  await expect(headline(page)).toContainText(/router.*ok/i);
});

test('probing of a front-end is paused and resumed from its page, and the pause shows', async ({ page }) => {
  await visit(page, '/targets/demo.mini-lb');
  await page.getByRole('button', { name: 'Pause probing for 10 minutes' }).click();
  await expect(page.getByText(/PAUSED until/)).toBeVisible();
  await page.getByRole('button', { name: 'Probe again' }).click();
  await expect(page.getByText(/PAUSED until/)).toBeHidden();
});

test('one click on the overview runs the experiment, and its page fills to a matrix and a conclusion', async ({ page }) => {
  await visit(page, '/');
  await page.getByRole('button', { name: 'Run the experiment' }).click();
  await expect(page).toHaveURL(/\/experiments\//);
  await expect(page.getByRole('columnheader', { name: 'router' })).toBeVisible();
  await expect(page.getByRole('columnheader', { name: 'mini_lb' })).toBeVisible();
  await expect(page.getByRole('rowheader')).toHaveText(['tiny', '/models/tiny', 'no such model', 'own id, whole answer']);
  await expect(page.getByText(/no code, came to: sent, 0 B/).first()).toBeVisible();
  await expect(headline(page)).toContainText(/Every front-end asked \(router and mini_lb\) hangs .* neither one front-end nor the name/, { timeout: 60_000 });
  await expect(page.getByText('confidence high')).toBeVisible();
  experiment = new URL(page.url()).pathname;
});

test('the experiment is copied as Markdown, with the command of each cell', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await visit(page, experiment);
  await page.getByRole('button', { name: 'Copy as Markdown' }).click();
  await expect(page.getByText('Copied')).toBeVisible();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied).toContain('neither one front-end nor the name');
  expect(copied).toMatch(/\| router \| its own tiny \| zero-bytes, zero-bytes \| -, - \| sent, sent \| 0 B, 0 B \|/);
  expect(copied).toContain('| mini\\_lb |');
  expect(copied).toMatch(/curl .*\/v1\/chat\/completions/);
  expect(copied).toContain(page.url());
});

test('the experiment is kept with the incident that was open, and each page leads to the other', async ({ page }) => {
  await visit(page, experiment);
  await page.getByRole('link', { name: 'kept with its incident' }).click();
  await expect(page).toHaveURL(/\/incidents\//);
  const kept = page.getByRole('listitem').filter({ hasText: /Every front-end asked/ });
  // It is in the timeline too; the list of experiments comes after that.
  await kept.last().getByRole('link').click();
  await expect(page).toHaveURL(new RegExp(experiment));
});

test('the history survives a kill -9 of the app', async ({ page, stack }) => {
  await visit(page, '/');
  await openNode(page, 'router');
  const link = page
    .getByRole('list', { name: /Last probes of router/ })
    .getByRole('link')
    .last();
  const record = (await link.getAttribute('href')) ?? '';
  await stack.restartApp('SIGKILL');
  await visit(page, record);
  await expect(page.getByText(/curl .*\/v1\/chat\/completions/)).toBeVisible();
  await visit(page, `/?t=${wellAt}`);
  await expect(headline(page)).toContainText('Both front-ends answer');
});

async function without(browser: Browser, url: string): Promise<Page> {
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: url });
  const page = await context.newPage();
  await page.goto('/');
  return page;
}

function ink(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).color);
}

/** Presses Tab until what has the focus is called like that. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const label = await page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');
    if (new RegExp(`^(${name}) `).test(label)) return;
  }
  throw new Error(`40 times Tab did not reach ${name}`);
}
