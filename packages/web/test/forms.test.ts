// @module-tag long
// @module-tag browser
// The forms of what is asked in words: a search, an extract, and a question to the web. By the keyboard, with the values
// that come back, and with what is said when they do not.
import { EngineError } from '@harvestman/core'
import { scriptedLLM, scriptedSearch, type Reply } from '@harvestman/testing'
import type { Page } from 'puppeteer-core'
import { describe, expect, test, vi } from 'vitest'

import { countOf, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 300_000 })

const lamp = `<!doctype html><title>Tall lamp</title><script type="application/ld+json">{"@context":"https://schema.org","@type":"Product","name":"Tall lamp","offers":{"price":"129.00","priceCurrency":"EUR"}}</script><main><h1>Tall lamp</h1><p>A lamp of oak, which is tall and stands in a corner of the room.</p></main>`

/** What the model says at the next question that is not about which page to read. */
const model: { answer: Reply } = { answer: { value: null } }
const llm = scriptedLLM([
  ({ tools, turns = [] }) =>
    tools
      ? {
          calls: [
            turns.length === 0 ? { name: 'read', input: { url: `${bench.site}/lamp` } } : { name: 'finish', input: {} },
          ],
        }
      : model.answer,
])
const search = scriptedSearch({
  web: ({ words }) => {
    if (words === 'broken') throw new Error('The index is away.')
    if (words === 'nothing') return []
    return [
      { url: `${bench.site}/lamp`, title: 'Tall lamp', description: `Found by ${words}.` },
      { url: `${bench.site}/`, title: 'Start', description: 'Where it begins.' },
    ]
  },
})
const bench = useBench(
  { '/lamp': lamp, '/': '<title>Start</title><p>Welcome to the shop of lamps.</p>' },
  { parts: { llm, search } },
)

/** Chooses what to do as the keyboard does, and goes to the line for what is wanted. */
async function choose(page: Page, label: string): Promise<void> {
  await page.waitForFunction(`document.querySelector('#kind')?.options.length > 5`)
  await page.focus('#kind')
  await page.keyboard.type(label)
  await page.waitForFunction(`document.querySelector('#kind').selectedOptions[0].label === ${JSON.stringify(label)}`)
  await page.keyboard.press('Tab')
  expect(await page.evaluate('document.activeElement.id')).toBe('address')
}

async function sendByKeys(page: Page): Promise<void> {
  await page.keyboard.down('Control')
  await page.keyboard.press('Enter')
  await page.keyboard.up('Control')
}

/** What a part of the page shows as data, as the text that it is. */
async function dataOf(page: Page, part = '.split'): Promise<unknown> {
  await page.locator('::-p-xpath(//main//button[text()="As text"])').click()
  return JSON.parse(await textOf(page, `${part} pre`)) as unknown
}

describe('A search', () => {
  test('gives the titles, addresses and words of what was found, and filters them', { tags: ['long'] }, async () => {
    await using page = await bench.open()
    await choose(page, 'Search')
    await page.keyboard.type('oak lamp')
    await page.keyboard.press('Enter')
    expect(await textOf(page, '.addresses li:first-child')).toMatch(
      /^Tall lamp\s+http.*\/lamp[\s\S]*Found by oak lamp\.$/,
    )
    await countOf(page, '.addresses li', 2)
    await page.type('[aria-label="Filter the URLs"]', 'start')
    await page.waitForFunction('document.querySelectorAll(".addresses li").length === 1')
    await page.waitForSelector('::-p-text(Copy URLs)')
    await page.waitForSelector('[aria-label="Download URLs"]')
  })

  test('that finds nothing says so', async () => {
    await using page = await bench.open()
    await choose(page, 'Search')
    await page.keyboard.type('nothing')
    await page.keyboard.press('Enter')
    await page.waitForFunction('document.body.innerText.includes("0 URLs")')
  })

  test('that fails says it in a sentence', { tags: ['long'] }, async () => {
    await using page = await bench.open()
    await choose(page, 'Search')
    await page.keyboard.type('broken')
    await page.keyboard.press('Enter')
    const said = await textOf(page, '[role=alert]')
    expect(said).toMatch(/search/i)
    expect(said).not.toContain('index is away')
  })
})

describe('An extract', () => {
  const schema = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'string' } } }

  test(
    'reads the values of a schema that was written by hand, and keeps what is no JSON yet',
    { tags: ['long'] },
    async () => {
      await using page = await bench.open()
      await choose(page, 'Extract')
      await page.keyboard.type(`${bench.site}/lamp`)
      await page.focus('#option-schema')
      await page.keyboard.type('{"type": "object"')
      await page.keyboard.press('Tab')
      expect(await textOf(page, '#option-schema-fault')).toContain('not JSON yet')
      expect(await page.$eval('#option-schema', (field) => (field as unknown as { value: string }).value)).toBe(
        '{"type": "object"',
      )
      await page.focus('#option-schema')
      await page.keyboard.press('End')
      await page.keyboard.type(`, "properties": ${JSON.stringify(schema.properties)}}`)
      await page.keyboard.press('Tab')
      await page.waitForFunction('!document.querySelector("#option-schema-fault")')
      await page.focus('#address')
      await sendByKeys(page)
      expect(await dataOf(page)).toMatchObject({ name: 'Tall lamp', price: '129.00' })
      await page.waitForSelector('::-p-text(Copy JSON)')
      await page.waitForSelector('[aria-label="Download JSON"]')
    },
  )

  test('says what is missing: neither a schema nor words', { tags: ['long'] }, async () => {
    await using page = await bench.open()
    await choose(page, 'Extract')
    await page.keyboard.type(`${bench.site}/lamp`)
    await sendByKeys(page)
    expect(await textOf(page, '[role=alert]')).toMatch(/prompt[\s\S]*schema|schema[\s\S]*prompt/)
  })
})

describe('A question to the web', () => {
  test('is answered, and its answer is found again among the jobs', async () => {
    model.answer = { value: { material: 'oak' } }
    await using page = await bench.open()
    await choose(page, 'Agent')
    await page.keyboard.type('What is the tall lamp made of?')
    await sendByKeys(page)
    expect(await dataOf(page)).toEqual({ material: 'oak' })
    await page.evaluate("location.hash = '#/jobs?kind=agent'")
    expect(await textOf(page, 'a.row')).toMatch(/What is the tall lamp made of\?[\s\S]*Agent[\s\S]*completed/)
    await page.focus('a.row')
    await page.keyboard.press('Enter')
    expect(await dataOf(page, 'main')).toEqual({ material: 'oak' })
    expect(await textOf(page, '.state')).toBe('completed')
  })

  test('that comes to nothing says why', { tags: ['long'] }, async () => {
    model.answer = { error: new EngineError('model_failed', 'The model gave no answer that can be used.') }
    await using page = await bench.open()
    await choose(page, 'Agent')
    await page.keyboard.type('What is it?')
    await sendByKeys(page)
    expect(await textOf(page, '[role=alert]')).toMatch(/model/i)
  })

  test('is cancelled where it is looked at', { tags: ['long'] }, async () => {
    model.answer = 'silence'
    const agent = await bench.engine.unchecked.start('agent', { prompt: 'Wait for ever' })
    await using page = await bench.open(`#/jobs/agent/${agent.id}`)
    await page.locator('::-p-xpath(//button[text()="Cancel"])').click()
    await page.waitForFunction('document.querySelector(".state").innerText === "cancelled"')
    expect(await textOf(page, '.empty')).toContain('cancelled')
    expect((await agent.status()).status).toBe('cancelled')
  })
})

test('The jobs are listed by kind and by state, and the address says which', { tags: ['long'] }, async () => {
  const crawl = await bench.engine.crawl({ url: `${bench.site}/`, limit: 1 })
  await crawl.end()
  await using page = await bench.open('#/jobs')
  await page.waitForSelector('[aria-label="Kind"]')
  await page.select('[aria-label="Kind"]', 'crawl')
  await page.waitForFunction('location.hash === "#/jobs?kind=crawl"')
  await page.waitForFunction(`[...document.querySelectorAll('a.row')].every((row) => row.innerText.includes('Crawl'))`)
  await page.select('[aria-label="State"]', 'failed')
  await page.waitForFunction('document.body.innerText.includes("No jobs match these filters")')
  await page.locator('::-p-text(Clear the filter)').click()
  await page.waitForSelector(`a.row[href*="${crawl.id}"]`)
})
