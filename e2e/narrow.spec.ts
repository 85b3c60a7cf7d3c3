import { expect } from '@playwright/test';
import { onStack } from './fixtures';

/** Names and other people's ids may be one long word. */
const NAME = 'gateway'.repeat(8);
const ID = `/models/${'deepseek'.repeat(30)}`;
const test = onStack({ scenario: 'e2e/scenarios/wedged.yaml', configure: (yaml) => yaml.replace('{ name: router,', `{ name: ${NAME}, model: ${ID},`) });

test('no page is wider than a phone, however long the words of others are', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/targets/demo.${NAME}`);
  const dot = page.getByRole('list', { name: /Last probes of gateway/ }).getByRole('link');
  const probe = await dot.last().getAttribute('href', { timeout: 30_000 });
  await page.getByRole('button', { name: 'Run the experiment' }).click();
  await expect(page.getByRole('rowheader').first()).toBeVisible();
  const experiment = new URL(page.url()).pathname;
  for (const path of ['/', '/stacks/demo', `/targets/demo.${NAME}`, '/targets/demo.decode', probe ?? '', experiment, '/incidents', '/wall']) {
    await page.goto(path);
    await expect(page.locator('body')).toContainText(/\w/);
    const over = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
    expect.soft(over, path).toBeLessThanOrEqual(0);
  }
});
