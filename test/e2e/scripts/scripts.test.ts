// @module-tag browser
// Scripts in real Chromium: recorded from what a task in words, code or a person did, run with other values, repaired when the
// page has changed, and stopped where it is not clear what a step means.

import { setTimeout } from 'node:timers/promises'

import { createEngine, EngineError, type Engine } from '@harvestman/core'
import { live, type Live, type LiveSession } from '@harvestman/live'
import { pageOf, puppeteerBrowser, puppeteerSessions, type LivePage } from '@harvestman/puppeteer'
import { scripts, type KeptScript, type Scripts } from '@harvestman/live/scripts'
import { engineErrorOf, scriptedLLM } from '@harvestman/testing'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'

import { openShop, type Shop } from './shop.ts'

type Page = ReturnType<ReturnType<LivePage['mainFrame']>['page']>

let shop: Shop
let engine: Engine & { readonly live: Live; readonly scripts: Scripts }
let session: LiveSession
beforeAll(async () => {
  shop = await openShop()
  engine = createEngine({
    allowPrivate: ['127.0.0.0/8'],
    browser: puppeteerBrowser(),
    plugins: [scripts(), live({ sessions: puppeteerSessions({ nice: 0 }) })],
    llm: scriptedLLM([
      { calls: [{ name: 'fill', input: { ref: 'e1', text: 'Ann' } }] },
      { calls: [{ name: 'done', input: { answer: 'Filled in.' } }] },
    ]),
  })
  session = await engine.live.open({ ttl: 3_600, activityTtl: 3_600 })
})
afterAll(async () => {
  await engine.close()
  shop.close()
})
beforeEach(() => {
  shop.look = 'as it was'
})

const secret = '4711secret'
const values = { name: 'Bob', size: 'Small' }

async function record(name: string): Promise<KeptScript> {
  await session.act({ type: 'goto', url: `${shop.origin}/order` })
  await engine.scripts.record({ session: session.id })
  await using page = await pageOf(session)
  await page.type('#who', 'Ann')
  await page.type('#pin', secret)
  await page.select('#size', 'Large')
  await page.click('#send')
  return engine.scripts.save({ name, session: session.id, parameters: { name: 'Ann', size: 'Large' } })
}

const run = (name: string, parameters: Record<string, string | string[]>, more = {}) =>
  engine.scripts.run(name, { session: session.id, parameters, stepTimeout: 300, ...more })

const shown = async (): Promise<string> => (await session.snapshot()).text

test('what was done becomes steps with parameters, and a password is not in it', async () => {
  const { script, version, origin } = await record('order')
  expect({ version, origin }).toEqual({ version: 1, origin: 'recorded' })
  expect(script.steps.map(({ action, value, target }) => [action, target?.name, value])).toEqual([
    ['fill', 'Name', '{{name}}'],
    ['fill', 'PIN', '{{pin}}'],
    ['select', 'Size', '{{size}}'],
    ['click', 'Order now', undefined],
  ])
  expect(script.parameters['pin']).toEqual({ type: 'text', secret: true, origin: shop.origin })
  expect(script.steps.at(-1)?.expects.shows).toEqual(['Ordered {{size}} for {{name}} with a pin'])
  expect(JSON.stringify(script)).not.toContain(secret)
})

test('a script runs with other values, also where classes, order and wrappers have changed', async () => {
  await record('order')
  for (const look of ['as it was', 'other classes and order'] as const) {
    shop.look = look
    const { steps, repairs } = await run('order', { ...values, pin: '1' })
    expect(steps.map(({ outcome }) => outcome)).toEqual(['done', 'done', 'done', 'done'])
    expect(repairs).toEqual([])
    expect(await shown()).toContain('Ordered Small for Bob with a pin')
  }
})

test('a button that is called otherwise is found by the rest, and the repair is a new version with a history', async () => {
  const { version } = await record('order')
  shop.look = 'other words'
  const done = await run('order', { ...values, pin: '1' })
  expect(done.steps.at(-1)).toMatchObject({ outcome: 'repaired', note: 'name "Order now" is now "Buy"' })
  expect(done.repairedTo).toBe(version + 1)
  const { versions, repairs } = await engine.scripts.history('order')
  expect(versions[0]).toMatchObject({ version: version + 1, origin: 'repaired' })
  expect(repairs[0]).toMatchObject({ step: 4, before: { name: 'Order now' }, after: { name: 'Buy' } })
  expect((await run('order', { ...values, pin: '1' })).repairs).toEqual([])
})

test('the only button of a form is found when it is called otherwise, and not once there are two', async () => {
  await session.act({ type: 'goto', url: `${shop.origin}/plain` })
  await engine.scripts.record({ session: session.id })
  {
    await using page = await pageOf(session)
    await Promise.all([page.waitForNavigation(), page.click('button')])
  }
  await engine.scripts.save({ name: 'plain', session: session.id })
  shop.look = 'two that fit'
  expect(await engineErrorOf(run('plain', {}))).toMatchObject({ details: { reason: 'not_found', step: 1 } })
  shop.look = 'other words'
  expect((await run('plain', {})).repairs).toMatchObject([{ before: { alone: 'form' }, after: { name: 'Buy' } }])
  // What was repaired is known to be alone, too.
  shop.look = 'as it was'
  expect((await run('plain', {})).steps).toMatchObject([{ outcome: 'repaired' }])
})

test(
  'what was done in a frame is done in the same one, wherever it stands, and in no other',
  { tags: ['long'] },
  async () => {
    await session.act({ type: 'goto', url: `${shop.origin}/framed` })
    await engine.scripts.record({ session: session.id })
    {
      await using page = await pageOf(session)
      const frame = page.frames().at(-1)!
      await frame.type('#who', 'Ann')
      await frame.select('#size', 'Large')
      await frame.click('#send')
    }
    const parameters = { name: 'Ann', size: 'Large' }
    const { script } = await engine.scripts.save({ name: 'framed', session: session.id, parameters })
    expect(script.steps.map(({ target }) => target?.frame?.['title'])).toEqual(Array(3).fill('As a present'))
    for (const look of ['as it was', 'other words'] as const) {
      shop.look = look
      expect((await run('framed', values)).steps.at(-1)).toMatchObject({
        outcome: look === 'as it was' ? 'done' : 'repaired',
      })
      await using page = await pageOf(session)
      const said = await Promise.all(page.frames().map((one) => one.$eval('output', ({ textContent }) => textContent)))
      const ordered = 'Ordered Small for Bob'
      expect(said).toEqual(look === 'as it was' ? ['', '', ordered] : ['', '', ordered, ''])
    }
    shop.look = 'two that fit'
    expect(await engineErrorOf(run('framed', values))).toMatchObject({ details: { reason: 'ambiguous', step: 1 } })
  },
)

test('what is done in a frame within a frame, and on the page that it goes on to, is recorded and done again', async () => {
  await session.act({ type: 'goto', url: `${shop.origin}/nested` })
  await engine.scripts.record({ session: session.id })
  {
    await using page = await pageOf(session)
    const inner = page.frames().find((one) => one.name() === 'inner')!
    await Promise.all([inner.waitForNavigation(), inner.click('button')])
    await inner.click('h2')
  }
  const { script } = await engine.scripts.save({ name: 'nested', session: session.id })
  expect(script.steps).toMatchObject([
    { target: { name: 'Order', frame: { name: 'inner', address: '/plain' } }, expects: { shows: ['Ordered'] } },
    { target: { name: 'Ordered', frame: { name: 'inner', address: '/ordered' } } },
  ])
  expect((await run('nested', {})).steps).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
  expect((await session.snapshot()).url).toBe(`${shop.origin}/nested`)
})

/** Does something in the tab that another one opens, once that is recorded, too. */
async function inNewTab(page: LivePage, opener: string, work: (tab: Page) => Promise<unknown>): Promise<void> {
  const opened = new Promise<Page>((resolve) => page.once('popup', (tab) => tab && resolve(tab)))
  await page.click(opener)
  const tab = await opened
  await tab.waitForSelector('button')
  // The recording attaches to the tab beside this client.
  await setTimeout(500)
  await work(tab)
}

/** Records in a live browser of its own. */
async function recordTabs(
  name: string,
  work: (page: LivePage) => Promise<unknown>,
  { path = '/opening', parameters = {} } = {},
): Promise<KeptScript['script']> {
  await using own = await engine.live.open()
  await own.act({ type: 'goto', url: `${shop.origin}${path}` })
  await engine.scripts.record({ session: own.id })
  {
    await using page = await pageOf(own)
    await work(page)
  }
  return (await engine.scripts.save({ name, session: own.id, parameters })).script
}

/** Runs in a live browser of its own. Gives the paths that the steps led to, and what all tabs show then. */
async function runTabs(name: string, look: Shop['look'], parameters = {}): Promise<object> {
  shop.look = look
  await using own = await engine.live.open()
  const { steps } = await engine.scripts.run(name, { session: own.id, parameters, stepTimeout: 1_000 })
  await using page = await pageOf(own)
  const tabs = await page.browserContext().pages()
  const said = await Promise.all(tabs.map((tab) => tab.$eval('output', ({ textContent }) => textContent)))
  return { paths: steps.map(({ url }) => new URL(url).pathname), said: said.toSorted() }
}

const send = 'button:last-of-type'

test(
  'what was done in a tab that a link opened is done in the one that it opens again, and then goes on in the first',
  { tags: ['long'] },
  async () => {
    const { steps } = await recordTabs('receipt', async (page) => {
      await inNewTab(page, 'a', async (tab) => {
        await tab.click('button')
        // By hand, and not by the button.
        await tab.close()
      })
      await page.click(send)
    })
    expect(steps).toMatchObject([
      {
        target: { name: 'Receipt' },
        expects: { opens: [{ tab: 'tab-1', address: expect.stringMatching(/\/receipt$/) }] },
      },
      { target: { name: 'Keep' }, tab: 'tab-1' },
      { target: { name: 'Send' }, expects: { shows: ['Sent'] } },
    ])
    expect(steps[1]?.expects.closes).toBeUndefined()
    expect(steps[2]?.tab).toBeUndefined()
    const paths = ['/opening', '/receipt', '/opening']
    expect(await runTabs('receipt', 'as it was')).toEqual({ paths, said: ['Kept', 'Sent'] })
    // Another page that opens beside it is not taken for it, and two that could be it are.
    expect(await runTabs('receipt', 'other words')).toEqual({ paths, said: ['', 'Kept', 'Sent'] })
    const url = `${shop.origin}/receipt`
    expect(await engineErrorOf(runTabs('receipt', 'two that fit'))).toMatchObject({
      details: { reason: 'ambiguous', step: 1, seen: { tabs: [url, url] } },
    })
    expect(await engineErrorOf(runTabs('receipt', 'nothing happens'))).toMatchObject({
      details: { reason: 'other_outcome', step: 1 },
    })
  },
)

test(
  'a tab that closes itself leads back to the one that opened it, and must close again',
  { tags: ['long'] },
  async () => {
    const { steps } = await recordTabs('choice', async (page) => {
      await inNewTab(page, 'button', async (tab) => {
        const closed = new Promise((resolve) => tab.once('close', resolve))
        await Promise.all([closed, tab.click('button').catch(() => undefined)])
      })
      await page.click(send)
    })
    expect(steps).toMatchObject([
      { target: { name: 'Choose' }, expects: { opens: [{ tab: 'tab-1' }] } },
      { target: { name: 'Red' }, tab: 'tab-1', expects: { closes: ['tab-1'] } },
      { target: { name: 'Send' }, expects: { shows: ['Sent'] } },
    ])
    expect(await runTabs('choice', 'as it was')).toEqual({ paths: Array(3).fill('/opening'), said: ['Sent'] })
    expect(await engineErrorOf(runTabs('choice', 'nothing happens'))).toMatchObject({
      message: expect.stringContaining('still open'),
      details: { reason: 'other_outcome', step: 2 },
    })
  },
)

test('a tab that is opened for each item of a list is acted in with that item', { tags: ['long'] }, async () => {
  const { steps } = await recordTabs(
    'shelf',
    async (page) => {
      for (const link of ['a:nth-of-type(1)', 'a:nth-of-type(2)'])
        await inNewTab(page, link, (tab) => tab.click('button'))
    },
    { path: '/shelf', parameters: { goods: ['Pen', 'Cup'] } },
  )
  expect(steps).toMatchObject([
    { each: 'goods', block: 2, target: { name: '{{goods}}' }, expects: { opens: [{ tab: 'tab-1' }] } },
    { tab: 'tab-1', target: { name: 'Keep' } },
  ])
  const paths = ['Cup', 'Hat'].flatMap((name) => ['/shelf', `/receipt/${name}`])
  expect(await runTabs('shelf', 'as it was', { goods: ['Cup', 'Hat'] })).toEqual({ paths, said: ['', 'Kept', 'Kept'] })
})

test('a key is pressed in the tab of its step, whichever is in front', async () => {
  const script = {
    ...{ version: 1 as const, start: `${shop.origin}/opening`, hosts: [new URL(shop.origin).host], parameters: {} },
    steps: [
      { action: 'click' as const, target: { role: 'link', name: 'Receipt' }, expects: { opens: [{ tab: 'receipt' }] } },
      {
        ...{ action: 'press' as const, target: { role: 'button', name: 'Send' }, value: 'Enter' },
        expects: { shows: ['Sent'] },
      },
    ],
  }
  await engine.scripts.save({ name: 'keys', script })
  expect(await runTabs('keys', 'as it was')).toMatchObject({ said: ['', 'Sent'] })
})

test('a page whose elements have the ids of our variables is recorded and acted on', async () => {
  await session.act({ type: 'goto', url: `${shop.origin}/own-names` })
  await engine.scripts.record({ session: session.id })
  {
    await using page = await pageOf(session)
    await page.type('[name=who]', 'Ann')
    await page.click('[name=order]')
  }
  const { script } = await engine.scripts.save({ name: 'own-names', session: session.id })
  expect(script.steps.map(({ action, target }) => [action, target?.name])).toEqual([
    ['fill', 'Name'],
    ['click', 'Order now'],
  ])
  expect((await run('own-names', {})).steps).toMatchObject([{ outcome: 'done' }, { outcome: 'done' }])
})

test('a button that is covered in its middle is clicked where it is free, and not when it is covered as a whole', async () => {
  await session.act({ type: 'goto', url: `${shop.origin}/covered` })
  await engine.scripts.record({ session: session.id })
  {
    await using page = await pageOf(session)
    await page.click('.buy')
  }
  await engine.scripts.save({ name: 'covered', session: session.id })
  shop.look = 'other classes and order'
  expect((await run('covered', {})).steps).toMatchObject([{ outcome: 'done' }])
  expect(await shown()).toContain('Bought Pen')
  shop.look = 'other words'
  expect(await engineErrorOf(run('covered', {}))).toMatchObject({ details: { reason: 'not_done' } })
})

test(
  'with repair off, and where a step cannot be told from another or brings about nothing, the run stops and says what it saw',
  { tags: ['long'] },
  async () => {
    await record('order')
    const stopped = async (look: Shop['look'], more = {}) => {
      shop.look = look
      const { code, details } = await engineErrorOf(run('order', { ...values, pin: secret }, more))
      expect(JSON.stringify(details)).not.toContain(secret)
      return { code, ...details }
    }
    expect(await stopped('other words', { repair: false })).toMatchObject({
      code: 'action_failed',
      reason: 'not_found',
      step: 4,
    })
    const ambiguous = await stopped('two that fit')
    expect(ambiguous).toMatchObject({
      reason: 'ambiguous',
      seen: { elements: ['button "Order now"', 'button "Order now"'] },
    })
    expect(await shown()).not.toContain('Ordered')
    expect(await stopped('nothing happens')).toMatchObject({ reason: 'other_outcome', step: 4 })
    expect(await engine.scripts.history('order').then(({ repairs }) => repairs.length)).toBeLessThan(2)
  },
)

test(
  'what was done for each item of a list is done for each of another one, found by its row',
  { tags: ['long'] },
  async () => {
    await session.act({ type: 'goto', url: `${shop.origin}/goods` })
    await engine.scripts.record({ session: session.id })
    {
      await using page = await pageOf(session)
      await page.click('li:nth-child(1) button')
      await page.click('li:nth-child(3) button')
    }
    const { script } = await engine.scripts.save({
      name: 'buy',
      session: session.id,
      parameters: { goods: ['Pen', 'Hat'] },
    })
    expect(script.steps).toMatchObject([
      { action: 'click', each: 'goods', target: { name: 'Buy', row: ['{{goods}}'] } },
    ])
    shop.look = 'goods by name'
    await run('buy', { goods: ['Map', 'Rug'] })
    expect(await shown()).toContain('Bought Rug')
    expect(await engineErrorOf(run('buy', { goods: ['Cup'] }))).toMatchObject({ code: 'action_failed' })
  },
)

test('a task in words is recorded as what it did', async () => {
  await session.act({ type: 'goto', url: `${shop.origin}/order` })
  await engine.scripts.record({ session: session.id })
  expect(await session.ask('Fill in Ann.')).toMatchObject({ success: true })
  const { script } = await engine.scripts.save({ name: 'task', session: session.id, parameters: { who: 'Ann' } })
  expect(script.steps).toMatchObject([{ action: 'fill', value: '{{who}}', target: { role: 'textbox', name: 'Name' } }])
})

test('values that are missing, unknown or of another type are refused by name, and other teams have no such script', async () => {
  await record('order')
  expect((await engineErrorOf(run('order', values))).message).toContain('"pin" is missing')
  expect((await engineErrorOf(run('order', { ...values, pin: '1', more: 'x' }))).message).toContain('"more"')
  const other = { team: 'other' }
  expect(await engine.scripts.list(other)).toEqual([])
  expect(await engineErrorOf(engine.scripts.get('order', {}, other))).toMatchObject({ code: 'not_found' })
  expect(EngineError.is(await engineErrorOf(engine.scripts.record({ session: session.id }, other)))).toBe(true)
})

test('a run ends when it is cancelled, and when it takes longer than it may', async () => {
  await record('order')
  shop.look = 'nothing happens'
  const late = { stepTimeout: 30_000, timeout: 1_000 }
  expect(await engineErrorOf(run('order', { ...values, pin: '1' }, late))).toMatchObject({
    code: 'timeout',
    message: expect.stringContaining('longer than 1000 ms'),
  })
  const cancelled = new AbortController()
  cancelled.abort(new EngineError('aborted', 'No longer needed.'))
  const { code } = await engineErrorOf(
    engine.scripts.run(
      'order',
      { session: session.id, parameters: { ...values, pin: '1' } },
      { signal: cancelled.signal },
    ),
  )
  expect(code).toBe('aborted')
})
