import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page } from '@playwright/test';
import { headline, onStack, visit } from './fixtures';

const KEY = 'sk-a-key-that-nobody-may-read-0123456789';
const HEADER = 'a-header-that-is-secret-9876543210';
const folder = mkdtempSync(join(tmpdir(), 'wedgewatch-exports-'));
writeFileSync(join(folder, 'key'), KEY);

const test = onStack({
  scenario: 'e2e/scenarios/wedged.yaml',
  timeScale: 2,
  configure: (yaml) => yaml.replace('{ name: router,', `{ name: router, apiKey: { file: ${join(folder, 'key')} }, headers: { x-team: ${HEADER} },`),
});
let incident = '';

const happened = (page: Page) => page.getByRole('list', { name: 'What happened' });
const entry = (page: Page, words: string | RegExp) => happened(page).getByRole('listitem').filter({ hasText: words });

test('a wedge opens one incident, reached from the overview, with the evidence that was taken at its beginning', async ({ page }) => {
  await visit(page, '/');
  await expect(headline(page)).toContainText(/Both front-ends hang.*stop at decode/, { timeout: 80_000 });
  await page.getByRole('link', { name: 'incident not acknowledged' }).click();
  await expect(page).toHaveURL(/\/incidents\//);
  incident = new URL(page.url()).pathname;
  await expect(headline(page)).toContainText(/Both front-ends hang.*stop at decode/);
  await expect(page.getByText('new, nobody has acknowledged it')).toBeVisible();
  await expect(entry(page, 'first bad chat').first()).toContainText(/no token after|zero bytes/);
  await expect(entry(page, 'frozen since').first()).toContainText(/scheduler of decode/);
  await expect(entry(page, 'FIRST OUT')).toHaveCount(1);
  await expect(page.getByText(/only witnesses decode/).first()).toBeVisible();
  await expect(page.getByRole('img', { name: /Log-odds of the suspicions: .*decode-stuck/ })).toBeVisible();
  await page.getByText('Counters of decode').click();
  await expect(page.getByRole('cell', { name: 'num_decode_transfer_queue_reqs', exact: true }).first()).toBeVisible();
  await expect(page.getByText('Decode has accepted chats and admits none', { exact: false })).toBeVisible();
});

test('a phone has verdict, list and the way to acknowledge, and nothing wider than it', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, '/incidents');
  const card = page.getByRole('list', { name: 'Incidents, newest first' }).getByRole('listitem');
  await expect(card).toContainText(/HANGING.*Both front-ends hang.*nobody has acknowledged it/i);
  await narrow(page);
  await card.getByRole('link', { name: 'Acknowledge' }).click();
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeInViewport();
  await narrow(page);
});

test('it is acknowledged by keyboard alone, under a name, and every screen knows it', async ({ page }) => {
  await visit(page, incident);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Your name').blur();
  await page.keyboard.press('a');
  await expect(page.getByRole('button', { name: 'Acknowledge' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('open, acknowledged by Ada')).toBeVisible();
  await expect(entry(page, 'acknowledged by Ada')).toBeVisible();
  await visit(page, '/');
  await expect(page.getByRole('link', { name: 'incident acknowledged by Ada' })).toBeVisible();
  await visit(page, '/incidents');
  await expect(page.getByRole('row', { name: /acknowledged by Ada/ })).toBeVisible();
});

test('a note keeps its Markdown and no HTML, and is there after a reload', async ({ page }) => {
  await visit(page, incident);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Note (Markdown)').fill('**Draining** decode\n- `kill -9` next <img src=x onerror=alert(1)>');
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(page.getByLabel('Note (Markdown)')).toHaveValue('');
  await page.reload();
  const note = entry(page, 'note by Ada');
  await expect(note.locator('strong')).toHaveText('Draining');
  await expect(note.locator('code')).toHaveText('kill -9');
  await expect(note).toContainText('<img src=x onerror=alert(1)>');
  await expect(note.locator('img')).toHaveCount(0);
});

test('it is shelved by keyboard for a time and a reason, marked, and taken off the shelf', async ({ page }) => {
  await visit(page, incident);
  await page.getByLabel('Your name').fill('Ben');
  await page.getByLabel('Your name').blur();
  await page.keyboard.press('s');
  await page.keyboard.press('Enter');
  await page.getByLabel('For', { exact: true }).selectOption('4 hours');
  await page.getByLabel('Why', { exact: true }).fill('the vendor is on it');
  await page.keyboard.press('Enter');
  await expect(page.getByText(/open, shelved until .*left\) by Ben: the vendor is on it/)).toBeVisible();
  await page.getByRole('button', { name: 'Mark here' }).click();
  await page.getByLabel('What happens now').fill('rolled back the gateway');
  await page.keyboard.press('Enter');
  await expect(entry(page, 'rolled back the gateway')).toContainText('(Ben)');
  await visit(page, '/');
  await expect(page.getByRole('link', { name: /incident shelved until/ })).toBeVisible();
  await visit(page, incident);
  await page.getByRole('button', { name: 'Take off the shelf' }).click();
  await expect(page.getByText('open, acknowledged by Ada')).toBeVisible();
});

test('the list is narrowed by state, place and words of a note, and a link shows the same list', async ({ page }) => {
  await visit(page, '/incidents');
  const rows = page.getByRole('row', { name: /Both front-ends hang/ });
  await expect(rows).toHaveCount(1);
  await page.getByLabel('Place').selectOption('prefill');
  await expect(page.getByText('No incident is like that.')).toBeVisible();
  await page.getByLabel('Place').selectOption('decode');
  await page.getByLabel('State').selectOption('open');
  await page.getByLabel('Search in sentences and notes').fill('draining KILL');
  await expect(rows).toHaveCount(1);
  await expect(page).toHaveURL(/text=draining\+KILL/);
  await page.getByLabel('Acknowledged').selectOption('no');
  await expect(rows).toHaveCount(0);
  await page.reload();
  await expect(page.getByLabel('Acknowledged')).toHaveValue('no');
  await expect(rows).toHaveCount(0);
  await expect(page.getByText('How the alarms behave')).toBeVisible();
});

test('the exported report says the same without any network, and no export holds a secret or, masked, a host', async ({ page, stack, context }) => {
  await visit(page, incident);
  const file = join(folder, 'report.html');
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: 'Report (one HTML file)', exact: true }).click()]);
  await download.saveAs(file);
  const ofForm = async (form: string, mask = 'none') => (await page.request.get(`${stack.url}/api${incident}/export?form=${form}&mask=${mask}`)).text();
  const forms = [readFileSync(file, 'utf8'), await ofForm('md'), await ofForm('json')];
  for (const text of forms) expect([text.includes(KEY), text.includes(HEADER), text.includes('127.0.0.1')]).toEqual([false, false, true]);
  for (const form of ['html', 'md', 'json']) expect(await ofForm(form, 'hosts'), form).not.toMatch(/127\.0\.0\.1|localhost/);

  await context.route('**/*', (route) => (route.request().url().startsWith('file:') ? route.continue() : route.abort()));
  await page.goto(`file://${file}`);
  await expect(headline(page)).toContainText(/Both front-ends hang.*since \d\d:\d\d:\d\d\. .*Requests stop at decode/);
  await expect(page.getByText('acknowledged by Ada').first()).toBeVisible();
  await expect(page.getByText('Draining')).toBeVisible();
  await expect(page.getByRole('img', { name: 'Map of the stack' })).toContainText('requests stop here');
  await expect(page.getByRole('img', { name: /Suspicions over time/ })).toBeVisible();
  await expect(page.getByText(/curl .*\/v1\/chat\/completions/).first()).toBeVisible();
  await expect(page.locator('img')).toHaveCount(0);
});

test('axe finds nothing wrong on the incident and on its list, in both themes', async ({ page }) => {
  for (const path of [incident, '/incidents'])
    for (const theme of ['dark', 'light']) {
      await visit(page, `${path}?theme=${theme}`);
      await expect(page.getByText(/acknowledged by Ada/).first()).toBeAttached();
      const { violations } = await new AxeBuilder({ page }).analyze();
      expect
        .soft(
          violations.flatMap((one) => one.nodes.map((each) => `${one.id} ${each.target.join(' ')}`)),
          `${path} ${theme}`,
        )
        .toEqual([]);
    }
});

test('what people said and switched off survives a kill -9 of the app', async ({ page, stack }) => {
  await visit(page, '/targets/demo.mini-lb');
  await page.getByRole('button', { name: 'Pause probing for 10 minutes' }).click();
  await expect(page.getByText(/PAUSED until/)).toBeVisible();
  await stack.restartApp('SIGKILL');
  await visit(page, '/targets/demo.mini-lb');
  await expect(page.getByText(/PAUSED until/)).toBeVisible({ timeout: 30_000 });
  await visit(page, incident);
  await expect(entry(page, 'acknowledged by Ada')).toBeVisible();
  await expect(entry(page, 'Draining')).toBeVisible();
});

async function narrow(page: Page): Promise<void> {
  expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBeLessThanOrEqual(0);
}
