import { describeInBrowser } from '../support/browser/chromium.js';
import { ANNA, fillSalesGraph } from '../support/browser/sales-graph.js';
import { setUpStage } from '../support/browser/stage.js';
import { account } from '../support/graph/graph-calls.js';

describeInBrowser('an account page', () => {
  const stage = setUpStage({ viewport: { width: 1440, height: 900 } });
  beforeEach(async () => {
    const { workspace, view } = stage;
    await fillSalesGraph(workspace);
    await view.page.goto(`/w/${workspace.workspaceId}/accounts/${ANNA}?claim=city`);
    await view.page.getByRole('heading', { level: 1, name: 'Anna Keller' }).waitFor();
  });

  it('resolves a contested value in the name of the person, which survives the next sync', async () => {
    const { page } = stage.view;
    const evidence = page.getByRole('region', { name: 'Evidence: city' });
    await evidence.getByRole('heading', { level: 2, name: 'Munich' }).waitFor();
    await evidence.getByText('Berlin').first().waitFor();
    await evidence.getByRole('button', { name: 'State another value' }).click();
    const dialog = page.getByRole('dialog', { name: 'State city' });
    await dialog.getByLabel('Value').fill('Hamburg');
    await dialog.getByRole('button', { name: 'State', exact: true }).click();
    await evidence.getByRole('heading', { level: 2, name: 'Hamburg' }).waitFor();
    expect(await evidence.innerText()).toMatch(/person:[\s\S]*by correction/);
    await stage.workspace.post('/v2/observations', {
      focus: ANNA,
      observations: [{ kind: 'state', property: 'city', value: 'Berlin', source: 'linkedin', method: 'profile' }],
    });
    await page.reload();
    await evidence.getByRole('heading', { level: 2, name: 'Hamburg' }).waitFor();
    expect((await account(stage.workspace, ANNA)).claims['city']!.value).toBe('Hamburg');
  });

  it('takes a statement back that was a mistake', async () => {
    const { page } = stage.view;
    const before = (await account(stage.workspace, ANNA)).claims['city']!;
    const evidence = page.getByRole('region', { name: 'Evidence: city' });
    await evidence.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('Stated in your name').waitFor();
    expect((await account(stage.workspace, ANNA)).claims['city']).not.toEqual(before);
    await page.keyboard.press('u');
    await page.getByText('Taken back').waitFor();
    expect((await account(stage.workspace, ANNA)).claims['city']).toEqual(before);
  });

  it('ends a fact, and shows it as no longer true', async () => {
    const { page } = stage.view;
    await page.getByRole('button', { name: 'State another value' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'It has ended' }).click();
    const past = page.getByRole('region', { name: 'No longer true' });
    await past.getByText('city').waitFor();
    expect(await past.innerText()).toContain('Munich');
  });

  it('shows beside an address that mail to it bounced', async () => {
    const { page } = stage.view;
    const { identifiers } = await account(stage.workspace, ANNA);
    const address = identifiers.find(({ kind }) => kind === 'email')!.value;
    const bounced = { kind: 'event', property: 'interaction.email_bounced', value: { code: '5.1.1' } };
    await stage.workspace.post('/v2/observations', { focus: address, observations: [bounced] });
    await page.reload();
    await page.locator('header').filter({ hasText: address }).getByText('bounced', { exact: true }).waitFor();
  });

  it('shows what happened and what was stated, beyond the rows that come with the account', async () => {
    const { page } = stage.view;
    const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString();
    const stated = Array.from({ length: 250 }, (_, index) => ({
      kind: 'state',
      property: 'city',
      value: `City ${index}`,
      observed_at: at(index + 1),
    }));
    const call = { kind: 'event', property: 'interaction.call_held', observed_at: at(0) };
    await stage.workspace.post('/v2/observations', { focus: 'busy@many.example', observations: [call, ...stated] });
    await page.goto(`/w/${stage.workspace.workspaceId}/accounts/busy@many.example?claim=city`);
    const timeline = page.getByRole('region', { name: 'Timeline', exact: true });
    await timeline.getByText('City 249').waitFor();
    expect(await timeline.getByText('call held').count()).toBe(0);
    await timeline.getByRole('button', { name: 'What happened' }).click();
    await timeline.getByText('call held').waitFor();
    expect(await timeline.getByRole('listitem').count()).toBe(1);
    await timeline.getByRole('button', { name: 'Everything' }).click();
    await timeline.getByText('City 249').waitFor();
    await timeline.getByRole('button', { name: 'Show more' }).click();
    await timeline.getByText('City 149').waitFor();
    await timeline.getByRole('button', { name: 'Show more' }).click();
    await timeline.getByText('call held').waitFor();
    expect(await timeline.getByRole('button', { name: 'Show more' }).count()).toBe(0);
    expect(await timeline.getByRole('listitem').count()).toBeGreaterThan(250);
  });

  it('shows how much happened in each week', async () => {
    const { page } = stage.view;
    const activity = page.getByRole('region', { name: 'Activity' });
    await activity.getByRole('img', { name: /^\d+ events? in the last 26 weeks, at most \d+ in one\.$/ }).waitFor();
    await activity.scrollIntoViewIfNeeded();
    await stage.view.takePicture('activity');
  });

  it('says that it was merged into this one, and undoes that', async () => {
    const { page } = stage.view;
    const { workspace } = stage;
    const recorded = await workspace.post<{ entity_id: string }>('/v2/observations', {
      focus: 'anna.keller@private.example',
      observations: [{ kind: 'state', property: 'name', value: 'Anna Keller' }],
    });
    const old = recorded.body.entity_id;
    await workspace.post('/v2/entities/merge', { a: ANNA, b: old, reason: 'Confirmed on a call' });
    await page.goto(`/w/${workspace.workspaceId}/accounts/${old}`);
    await page.getByRole('button', { name: 'Undo the merge' }).click();
    await page.getByText('They are two accounts again.').waitFor();
    await page.getByText('anna.keller@private.example').first().waitFor();
    expect(new URL(page.url()).pathname).toContain(old);
    expect((await account(workspace, old)).entity_id).toBe(old);
  });

  it('shows how a person scores, and what to find out next', async () => {
    const { page } = stage.view;
    await page.getByText('Score', { exact: true }).click();
    await page.getByRole('heading', { name: 'What to find out next' }).waitFor();
    const score = page.getByRole('region', { name: 'Score' });
    await score.getByText('Ability').waitFor();
    expect(await score.innerText()).toMatch(/priority \d+/);
    expect(await stage.view.findBarriers()).toEqual([]);
    await score.scrollIntoViewIfNeeded();
    await stage.view.takePicture('score');
  });

  it('is merged with another account after a look at both, and parted again', async () => {
    const { page } = stage.view;
    const other = 'person1@quillpay.example';
    await page.getByText('Merges', { exact: true }).last().click();
    await page
      .getByText('One proposal waits for a decision')
      .or(page.getByText('1 proposal waits for a decision'))
      .waitFor();
    await page.getByRole('button', { name: 'Merge with another account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Merge Anna Keller with another account' });
    await dialog.getByLabel('E-mail address, domain or LinkedIn URL').fill(other);
    await dialog.getByRole('button', { name: 'Compare' }).click();
    await dialog.getByRole('columnheader', { name: 'As one' }).waitFor();
    await dialog.getByRole('cell', { name: other }).first().waitFor();
    expect(await stage.view.findBarriers()).toEqual([]);
    await stage.view.takePicture('merge-by-hand');
    await dialog.getByRole('button', { name: 'Merge them' }).click();
    await page.getByText('Merged into one account').waitFor();
    const merged = await account(stage.workspace, ANNA);
    expect(merged.identifiers.map(({ value }) => value)).toContain(other);
    const links = page.getByRole('region', { name: 'Merges' });
    if (!(await links.getByRole('button', { name: 'Undo the merge' }).isVisible()))
      await page.getByText('Merges', { exact: true }).last().click();
    await links.getByText('Merged in the console', { exact: false }).waitFor();
    await links.getByRole('button', { name: 'Undo the merge' }).click();
    await page.getByText('They are two accounts again.').waitFor();
    expect((await account(stage.workspace, ANNA)).identifiers.map(({ value }) => value)).not.toContain(other);
  });

  it('turns to another day and back', async () => {
    const { page } = stage.view;
    const axis = page.getByLabel('As it was on');
    await page.goto(`/w/${stage.workspace.workspaceId}/accounts/${ANNA}?claim=title&as_of=2025-01-01T00:00:00.000Z`);
    const evidence = page.getByRole('region', { name: 'Evidence: title' });
    await evidence.getByRole('heading', { level: 2, name: 'Sales Manager' }).waitFor();
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    expect(await axis.getAttribute('aria-valuetext')).toContain('2025');
    await page.getByRole('region', { name: 'Claims and timeline' }).focus();
    await page.keyboard.press('t');
    await evidence.getByRole('heading', { level: 2, name: 'VP Sales' }).waitFor();
    expect(page.url()).not.toContain('as_of');
    await page.keyboard.press('Shift+T');
    await page.keyboard.press('ArrowLeft');
    await page.waitForURL(/as_of=/);
  });

  it('turns to what was known on another day', async () => {
    const { page } = stage.view;
    const { hub, workspace } = stage;
    await hub.database.pool.query(
      `UPDATE entities SET created_at = now() - interval '30 days' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    await hub.database.pool.query(
      `UPDATE observation_log SET recorded_at = now() - interval '20 days'
       WHERE workspace_id = $1 AND property = 'department'`,
      [workspace.workspaceId],
    );
    const known = new Date(Date.now() - 10 * 86_400_000).toISOString();
    await page.goto(`/w/${workspace.workspaceId}/accounts/${ANNA}?known_at=${known}`);
    await page.getByRole('button', { name: /department/ }).waitFor();
    expect(await page.getByRole('button', { name: /^title/ }).count()).toBe(0);
    expect(await page.getByLabel('As known on').getAttribute('aria-valuetext')).not.toBe('today');
    expect(await page.getByRole('button', { name: 'Confirm' }).isDisabled()).toBe(true);
    await page.getByRole('region', { name: 'Claims and timeline' }).focus();
    await page.keyboard.press('t');
    await page.getByRole('button', { name: /^title/ }).waitFor();
    expect(page.url()).not.toContain('known_at');
  });

  it('walks the list that the person came from, inside its filter', async () => {
    const { page } = stage.view;
    const chips = JSON.stringify([{ property: 'title', condition: 'is', value: 'CRO' }]);
    await page.goto(`/w/${stage.workspace.workspaceId}/people?sort=name&chips=${encodeURIComponent(chips)}`);
    await page.getByRole('row').filter({ hasText: 'Person 02' }).click();
    await page.getByRole('heading', { level: 1, name: 'Person 02' }).waitFor();
    await page.getByText('1 of 7').waitFor();
    await page.keyboard.press(']');
    await page.getByRole('heading', { level: 1, name: 'Person 06' }).waitFor();
    await page.keyboard.press('[');
    await page.getByRole('heading', { level: 1, name: 'Person 02' }).waitFor();
    await page.getByRole('link', { name: '1 of 7' }).click();
    await page.getByText('title is “CRO”').waitFor();
  });

  it('shows text that would be a program, and a direction that would mislead, as text', async () => {
    const name = '<img src=x onerror=alert(1)>\u202Egnp.exe';
    await stage.workspace.post('/v2/observations', {
      focus: 'mallory@coralline.example',
      observations: [
        { kind: 'state', property: 'name', value: name },
        { kind: 'state', property: 'title', value: '=HYPERLINK("https://evil.example")' },
        { kind: 'state', property: 'bio', value: 'x'.repeat(60_000) },
      ],
    });
    const { page } = stage.view;
    await page.goto(`/w/${stage.workspace.workspaceId}/accounts/mallory@coralline.example?claim=bio`);
    const heading = page.getByRole('heading', { level: 1 });
    await heading.filter({ hasText: 'onerror' }).waitFor();
    expect(await page.locator('img[src="x"]').count()).toBe(0);
    expect(await heading.evaluate(element => element.scrollWidth <= element.ownerDocument.body.clientWidth)).toBe(true);
    expect(await stage.view.evaluate('document.body.scrollWidth <= innerWidth')).toBe(true);
  });
});
