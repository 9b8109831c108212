// @module-tag long
// @module-tag browser
// What was made is found again: by the palette, in the activity, in datasets; and what the server says of itself.
import { data, type Datasets } from '@harvestman/data'
import type { Page } from 'puppeteer-core'
import { describe, expect, test, vi } from 'vitest'

import { tab, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 120_000 })

const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>A few words.</p>${more}</main></html>`
const pages = {
  '/': article('The start', '<a href="/one">One</a> <a href="https://else.test/">Else</a>'),
  '/one': article('One'),
}
const doctor = vi.fn(async () => [
  { name: 'browser', state: 'good', message: '/usr/bin/chromium' } as const,
  { name: 'model', state: 'missing', message: 'none', fix: 'Set `OPENAI_API_KEY`.' } as const,
])
const limits = [
  {
    setting: 'limits.bodyBytes',
    variable: 'LIMITS_BODY_BYTES',
    value: 50_000_000,
    unit: 'bytes',
    description: 'The `body`.',
  },
  { setting: 'keep.jobs', variable: 'KEEP_JOBS', value: 86_400_000, unit: 'ms', description: 'How long.' },
  { setting: 'limits.teamConcurrency', description: 'Pages of one team.' },
]
const bench = useBench(pages, { plugins: [data()], page: { doctor, limits: () => limits } })

async function openPalette(page: Page): Promise<void> {
  await page.keyboard.down('Control')
  await page.keyboard.press('k')
  await page.keyboard.up('Control')
  await page.waitForSelector('.palette[open] [role=option]')
}

describe('The palette', () => {
  test('opens by the keyboard anywhere, finds a job by its address, and goes to it', { tags: ['long'] }, async () => {
    const crawl = await bench.engine.crawl({ url: `${bench.site}/`, limit: 1 })
    await crawl.end()
    await using page = await bench.open()
    await page.focus('#address')
    await openPalette(page)
    await page.keyboard.type('crawl 127.0.0.1')
    await page.waitForFunction(
      `document.querySelector('[role=option][aria-selected=true]')?.innerText.includes('127.0.0.1')`,
    )
    await page.keyboard.press('Enter')
    await page.waitForFunction(`location.hash.includes('${crawl.id}')`)
    expect(await textOf(page, 'h1')).toContain('Crawl')
    expect(await page.$('.palette')).toBeNull()
  })

  test('goes to a view by its arrows, and closes without going anywhere', async () => {
    await using page = await bench.open('#/connect')
    await page.waitForSelector('[role=tab]')
    await openPalette(page)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.waitForFunction('location.hash === "#/jobs"')
    await openPalette(page)
    await page.keyboard.press('Escape')
    await page.waitForFunction('!document.querySelector(".palette")')
    expect(page.url()).toMatch(/#\/jobs$/)
  })
})

test('Each request of the activity leads to what it made', { tags: ['long'] }, async () => {
  const batch = await bench.engine.batch({ urls: [`${bench.site}/one`] })
  await batch.end()
  const { metadata } = await bench.engine.scrape({ url: `${bench.site}/` }, { keep: true })
  await using page = await bench.open('#/activity')
  await page.waitForSelector(`.row.act a[href="#/jobs/batch/${batch.id}"]`)
  await page.click(`.row.act a[href="#/page/${metadata.scrapeId}"]`)
  await page.waitForFunction('document.querySelector("[role=tabpanel]")?.innerText.includes("The start")')
  await page.evaluate("location.hash = '#/activity?endpoint=batch_scrape&hours=1'")
  await page.waitForFunction(
    `[...document.querySelectorAll('.row.act')].every((row) => row.innerText.startsWith('batch scrape'))`,
  )
  await page.waitForSelector(`.row.act a[href="#/jobs/batch/${batch.id}"]`)
})

test('The requests of some hours are chosen by dragging over them', { tags: ['long'] }, async () => {
  const { metadata } = await bench.engine.scrape({ url: `${bench.site}/` }, { keep: true })
  await using page = await bench.open('#/activity')
  const made = `.row.act a[href="#/page/${metadata.scrapeId}"]`
  await page.waitForSelector(made)
  const plot = await page.waitForSelector('svg.draggable')
  const { x = 0, y = 0, width = 0, height = 0 } = (await plot?.boundingBox()) ?? {}
  const drag = async (from: number, to: number): Promise<void> => {
    await page.mouse.move(x + from * width, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + to * width, y + height / 2)
    await page.mouse.up()
  }
  await drag(0.3, 0.5)
  await page.waitForFunction(`!document.querySelector('${made}') && location.hash.includes('from=')`)
  await drag(0.5, 0.99)
  await page.waitForSelector(made)
  await page.locator('::-p-xpath(//button[contains(., "Show all hours")])').click()
  await page.waitForFunction(`!location.hash.includes('from=')`)
})

test('The data of a page is folded, its links are a table, and each can be filtered', { tags: ['long'] }, async () => {
  const { metadata } = await bench.engine.scrape(
    { url: `${bench.site}/`, formats: ['markdown', 'links'] },
    { keep: true },
  )
  await using page = await bench.open(`#/page/${metadata.scrapeId}`)
  await tab(page, 'Links 2')
  await page.waitForSelector('[role=row]')
  await page.select('[aria-label=Site]', 'other')
  await page.waitForFunction('document.querySelectorAll(".links [role=row]").length === 1')
  expect(await textOf(page, '.links [role=row]')).toContain('else.test')
  await tab(page, 'JSON')
  expect(await textOf(page, '.json')).toContain('"The start"')
  await page.click('.json > details > summary')
  await page.waitForFunction('!document.querySelector(".json").innerText.includes("The start")')
})

test('A dataset is a table with what values were before, and answers a query', { tags: ['long'] }, async () => {
  const { datasets } = bench.engine as unknown as { readonly datasets: Datasets }
  await datasets.create({ name: 'prices', key: ['id'] })
  await datasets.put('prices', { rows: [{ values: { id: 'lamp', price: 12 } }, { values: { id: 'hat', price: 5 } }] })
  await datasets.put('prices', { rows: [{ values: { id: 'lamp', price: 15 } }] })
  await using page = await bench.open('#/datasets')
  await page.locator('a.row[href="#/datasets/prices"]').click()
  await page.waitForSelector('tbody tr')
  expect(await textOf(page, 'table')).toMatch(/15\s*was 12/)
  await page.type('[aria-label="SQL over the rows"]', 'SELECT id FROM rows WHERE price < 10')
  await page.keyboard.press('Enter')
  await page.waitForFunction('document.querySelector("table")?.innerText.trim() === "id\\nhat"')
  const href = await page.$eval('a[href*="format=csv"]', (link) => link.getAttribute('href') ?? '')
  expect(await page.evaluate(`fetch(${JSON.stringify(href)}).then((answer) => answer.text())`)).toContain('lamp')
})

describe('The status', () => {
  test(
    'tells the version, the store and the queue, and tries everything when it is asked to',
    { tags: ['long'] },
    async () => {
      await using page = await bench.open('#/status')
      await page.waitForFunction(
        '/\\d+\\.\\d+\\.\\d+[^]*version[^]*ok[^]*store/.test(document.querySelector(".tiles")?.innerText)',
      )
      expect(doctor).not.toHaveBeenCalled()
      await page.locator('::-p-text(Check everything)').click()
      await page.waitForSelector('.row.finding')
      const rows = await page.$$eval('.row.finding', (all) => all.map((row) => row.textContent))
      expect(rows).toEqual(['✓ worksbrowser/usr/bin/chromium', '! missingmodelnone Set OPENAI_API_KEY.'])
    },
  )

  test('lists every limit with its value, and the setting that changes it', async () => {
    await using page = await bench.open('#/status')
    await page.waitForSelector('.row.limit')
    const rows = await page.$$eval('.row.limit', (all) => all.map((row) => row.textContent))
    expect(rows).toEqual([
      'limits.bodyBytes50.0 MBThe body. LIMITS_BODY_BYTES',
      'keep.jobs24 hHow long. KEEP_JOBS',
      'limits.teamConcurrencyno limitPages of one team.',
    ])
  })

  const locked = useBench(pages, { keys: 'secret', adminKey: 'admin', page: { doctor } })

  test('is for the operator: a key of a team is not enough', async () => {
    const ask = async (headers: Record<string, string>) => {
      const all = { 'sec-fetch-site': 'same-origin', 'x-harvestman-ui': '1', ...headers }
      return (await fetch(`${locked.url}/ui/status`, { method: 'POST', headers: all })).status
    }
    expect(await ask({})).toBe(401)
    expect(await ask({ authorization: 'Bearer secret' })).toBe(401)
    expect(await ask({ authorization: 'Bearer admin', 'sec-fetch-site': 'cross-site' })).toBe(403)
    expect(await ask({ authorization: 'Bearer admin' })).toBe(200)
  })
})
