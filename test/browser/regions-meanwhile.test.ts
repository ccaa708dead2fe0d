/** Another record comes while something of the one before is on its way: nothing of it is done to, or shown in, the other. */
import assert from 'node:assert/strict';
import type { FromPage, PageQuestion, PageQuestions, ShownEvidence } from '../../schemas/page.ts';
import { textPdf } from './documents.ts';
import { evidenceOf, region, shownPage } from './evidence.ts';
import { usePreview } from './fixture.ts';
import type { OpenPage } from './preview-site.ts';

type Ask = Extract<FromPage, { type: 'ask' }>;

describe('another record, while something is on its way', () => {
  const preview = usePreview();
  let open: OpenPage;
  let evidence: ShownEvidence;
  let other: ShownEvidence;

  before(async () => {
    const url = preview.site.put('report.pdf', await textPdf(2));
    const page = shownPage(1, { kind: 'pdf', url, pageIndex: 0 }, [
      region('/bbox/0/0', 0.1, 0.1, 0.5, 0.1),
      region('/bbox/0/1', 0.1, 0.4, 0.5, 0.1, { text: '[1, 2, 3, 4]' }),
    ]);
    evidence = evidenceOf({ pages: [page], editable: { question: '/question' } });
    other = { ...evidence, index: 5, id: 'q-0006', question: 'Which route is the shortest?' };
  });

  async function start(): Promise<void> {
    open = await preview.site.open(preview.browser);
    await open.show(evidence);
    await open.page.waitForSelector('[data-state=drawn]');
    await open.page.locator('.region .tag').first().click();
    await open.page.waitForSelector('.region-frame');
  }

  /** The question that waits for its answer. */
  async function asked<Q extends PageQuestion>(question: Q): Promise<Ask & { readonly ask: PageQuestions[Q]['ask'] }> {
    await open.page.waitForFunction(
      (wanted) => window.posted.some((message) => message.type === 'ask' && message.question === wanted),
      question,
    );
    const found = (await open.posted()).findLast((message) => message.type === 'ask' && message.question === question);
    return found as Ask & { readonly ask: PageQuestions[Q]['ask'] };
  }

  async function comes(next = other): Promise<void> {
    await open.show(next);
    await open.page.getByRole('heading', { name: next.question ?? '' }).waitFor();
  }

  /** Everything that came before was heard. */
  async function heard(): Promise<void> {
    await open.send({ type: 'options', service: true });
    await open.page.getByRole('button', { name: 'Propose regions by the service' }).waitFor();
  }

  it('gets no proposals that were asked for before, though it has the same page', async () => {
    await start();
    await open.page.keyboard.press('Shift+R');
    const { id, ask } = await asked('propose');
    assert.deepEqual(ask, { uri: evidence.uri, index: 4, page: 1 });
    await comes();
    const place = { left: 0.1, top: 0.1, width: 0.2, height: 0.2 };
    const answer: PageQuestions['propose']['answer'] = {
      proposals: [{ place, label: null, says: 'table' }],
      problem: 'Half of the page was read.',
    };
    await open.send({ type: 'answer', id, answer });
    await heard();
    assert.equal(await open.page.locator('.proposal').count(), 0);
    assert.equal(await open.page.locator('.region-problem').isVisible(), false);
  });

  it('is not told of words that were asked for before', async () => {
    await start();
    await open.page.keyboard.press('i');
    const { id } = await asked('regionText');
    await comes();
    await open.send({ type: 'answer', id, answer: { text: null } });
    await heard();
    assert.equal(await open.page.locator('.region-problem').isVisible(), false);
    assert.equal(await open.page.locator('.region-inside').isVisible(), false);
  });

  it('makes the last nudge on the record that it was made on, and says what was not made', async () => {
    await start();
    await open.page.keyboard.press('ArrowRight');
    await open.page.keyboard.press('Delete');
    const { ask } = await asked('change');
    assert.deepEqual([ask.uri, ask.index, ask.change.kind], [evidence.uri, 4, 'place']);
    await comes();
    const problem = open.page.locator('[role=alert].region-problem');
    assert.equal(await problem.innerText(), 'A change was not made: another record came first.');
    const changes = (await open.posted()).filter((message) => message.type === 'ask' && message.question === 'change');
    assert.equal(changes.length, 1);
  });

  it('is another one also where it comes to stand at the same index', async () => {
    await start();
    await open.page.getByRole('button', { name: 'Edit the question', exact: true }).click();
    const field = open.page.getByRole('textbox', { name: 'The question', exact: true });
    await field.fill('Typed on the first record');
    await comes({ ...other, index: evidence.index, version: 2 });
    assert.equal(await field.count(), 0, 'what was typed is not offered for another record');
    await open.show({ ...evidence, index: evidence.index - 1, version: 2 });
    await field.waitFor();
    assert.equal(await field.inputValue(), 'Typed on the first record');
  });
});
