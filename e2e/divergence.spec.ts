import { expect } from '@playwright/test';
import { headline, node, onStack } from './fixtures';

const test = onStack({ scenario: 'e2e/scenarios/heals.yaml', timeScale: 4 });

test('a stack that is well says so in one sentence', async ({ page }) => {
  await page.goto('/');
  await expect(headline(page)).toContainText('Both front-ends answer', { timeout: 30_000 });
  await expect(node(page, 'router')).toHaveAccessibleName(/ok.*health says 200.*answers/);
});

test('when decode wedges, both front-ends read hanging at decode while their health says 200', async ({ page }) => {
  await page.goto('/');
  await expect(headline(page)).toContainText(/hang.*\/health says 200.*stop at decode/, { timeout: 60_000 });
  for (const name of ['router', 'mini_lb']) await expect(node(page, name)).toHaveAccessibleName(/hanging.*health says 200/);
  await expect(page.getByText(/decode/i).first()).toBeVisible();
});

test('after the healing it clears by itself', async ({ page }) => {
  await page.goto('/');
  await expect(headline(page)).toContainText('Both front-ends answer', { timeout: 80_000 });
  for (const name of ['router', 'mini_lb']) await expect(node(page, name)).toHaveAccessibleName(/ok/);
});

test('an experiment that runs is cancelled from its page, and what it found stays', async ({ page }) => {
  await page.goto('/targets/demo.router');
  await page.getByRole('button', { name: 'Run the experiment' }).click();
  await expect(page).toHaveURL(/\/experiments\//);
  await expect(page.getByRole('link', { name: /answers/ }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByText(/cancelled after/)).toBeVisible();
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeHidden();
  await expect(page.getByRole('link', { name: /answers/ }).first()).toBeVisible();
});
