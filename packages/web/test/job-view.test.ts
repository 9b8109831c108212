// @module-tag long
// @module-tag browser
// What the page shows of a job: its rows, what went wrong, and its request once more.
import type { Page } from 'puppeteer-core'
import { describe, expect, test, vi } from 'vitest'

import { answerFor, tab, textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 120_000 })

const words = 'This page says a few things, in enough words that they count as the content of the page. '
const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words.repeat(3)}</p>${more}</main></html>`

const bench = useBench({
  '/': article('The start', '<a href="/one">One</a> <a href="/two">Two</a>'),
  '/one': article('One'),
  '/two': article('Two'),
  '/gone': { status: 404, html: article('Gone') },
})

const standing = (more: object) => ({
  id: 'made-up',
  kind: 'crawl',
  status: 'completed',
  outcome: 'completed',
  total: 0,
  completed: 0,
  failed: 0,
  cancelled: 0,
  creditsUsed: 0,
  createdAt: '2026-01-01T00:00:00.000Z',
  ...more,
})

async function openMadeUp(
  job: object,
  rowsOf: (cursor: string | null) => object,
): Promise<{ page: Page; asked: string[] }> {
  const page = await bench.open('#/jobs')
  const asked: string[] = []
  await answerFor(page, '/v2/', (url) => {
    // The list of jobs, which was opened before, may still request its own.
    if (url.pathname.includes('made-up')) asked.push(url.pathname)
    return { job: standing(job), ...rowsOf(url.searchParams.get('cursor')) }
  })
  await page.evaluate("location.hash = '#/jobs/crawl/made-up'")
  await page.waitForSelector('.facts-line')
  return { page, asked }
}

const rowTexts = (page: Page) => page.$$eval('[role=row] .where', (rows) => rows.map((row) => row.textContent))

test(
  'A job of 10,000 pages comes in a few answers without documents, and only the rows in sight are elements',
  { tags: ['long'] },
  async () => {
    const portion = 2_000
    const { page: opened, asked } = await openMadeUp({ total: 10_000, completed: 10_000 }, (cursor) => {
      const first = Number(cursor ?? 0)
      const rows = Array.from({ length: portion }, (_, index) => ({
        outcome: 'visited',
        url: `https://made.up/page/${first + index}`,
        title: `Page ${first + index}`,
        status: 200,
        bytes: 5_000,
      }))
      return { rows, cursor: String(first + portion), hasMore: first + portion < 10_000 }
    })
    await using page = opened
    await page.waitForFunction('document.body.innerText.includes("Pages 10,000")')
    expect(asked).toEqual(Array.from({ length: 5 }, () => '/v2/jobs/made-up/rows'))
    expect((await rowTexts(page)).length).toBeLessThan(60)
    await page.$eval('[role=grid]', (grid) => void (grid.scrollTop = grid.scrollHeight))
    await page.waitForFunction('document.querySelector("[role=grid]").innerText.includes("Page 9999")')
    expect((await rowTexts(page)).length).toBeLessThan(60)
  },
)

test('Each failure says its own cause, and pages that answered with an error are counted among the errors', async () => {
  const failed = (url: string, error: string) => ({ outcome: 'failed', url, code: 'SCRAPE_SITE_ERROR', error })
  const { page: opened } = await openMadeUp({ total: 5, completed: 2, failed: 3 }, () => ({
    hasMore: false,
    rows: [
      { outcome: 'visited', url: 'https://made.up/', status: 200 },
      { outcome: 'visited', url: 'https://made.up/gone', status: 404 },
      failed('https://made.up/a', 'The connection was refused.'),
      failed('https://made.up/b', 'The connection was refused.'),
      failed('https://made.up/c', 'It redirects without an end.'),
      { outcome: 'left', url: 'https://made.up/d', code: 'ROBOTS_DENIED', error: 'The robots.txt says no.' },
    ],
  }))
  await using page = opened
  await tab(page, 'Failed 3, left out 1')
  const text = await textOf(page, '[role=tabpanel]')
  expect(text).toMatch(/Failed 3\s+The connection was refused\.\s+SCRAPE_SITE_ERROR · 2 pages[^]*\/a[^]*\/b/)
  expect(text).toMatch(/It redirects without an end\.\s+SCRAPE_SITE_ERROR[^]*\/c/)
  expect(text).toMatch(/Stored with an error status 1\s+The site responded with status 404\.[^]*\/gone/)
  expect(text).toMatch(/Left out 1\s+The robots\.txt says no\.[^]*ROBOTS_DENIED[^]*\/d/)
  expect(await page.$$('[role=tabpanel] details')).toEqual([])
  expect(await textOf(page, '.facts-line')).toMatch(/2 of 5 pages\s+3 failed\s+1 left out/)
})

test(
  'A job that is gone to from another shows its own pages alone, and a page of it its own content',
  { tags: ['long'] },
  async () => {
    const [one, two] = await Promise.all(
      ['/one', '/two'].map(async (path) => {
        const batch = await bench.engine.batch({ urls: [`${bench.site}${path}`] })
        await batch.end()
        return batch.id
      }),
    )
    await using page = await bench.open(`#/jobs/batch/${one}`)
    await page.waitForSelector('[role=row]')
    await page.evaluate(`location.hash = '#/jobs/batch/${two}'`)
    await page.waitForFunction(`document.querySelector('.facts-line')?.innerText.includes('${two}')`)
    await page.waitForSelector('[role=row]')
    await expect.poll(() => rowTexts(page)).toEqual(['/two Two'])
    await page.locator('[role=row] a').click()
    expect(await textOf(page, '.prose')).toContain('Two')
    await page.evaluate('history.back()')
    await page.waitForSelector('[role=row]')
    await page.evaluate('history.back()')
    await page.waitForFunction(`document.querySelector('.facts-line')?.innerText.includes('${one}')`)
    await page.waitForSelector('[role=row]')
    await expect.poll(() => rowTexts(page)).toEqual(['/one One'])
  },
)

test('The pages of a job are filtered and sorted, and the order stands in the address', async () => {
  const page_ = (path: string, bytes: number, status = 200) => ({
    ...{ outcome: 'visited', url: `https://made.up${path}`, title: path, status, bytes, credits: 1 },
    at: '2026-01-01T00:00:00.000Z',
  })
  const { page: opened } = await openMadeUp({ total: 3, completed: 3 }, () => ({
    hasMore: false,
    rows: [page_('/short', 100), page_('/long', 90_000), page_('/gone', 500, 404)],
  }))
  await using page = opened
  await expect.poll(() => rowTexts(page)).toEqual(['/short /short', '/long /long', '/gone /gone'])
  await page.locator('::-p-xpath(//*[@role="columnheader"]/button[starts-with(., "Size")])').click()
  await expect.poll(() => rowTexts(page)).toEqual(['/short /short', '/gone /gone', '/long /long'])
  await page.waitForSelector('[role=columnheader][aria-sort=ascending]')
  expect(page.url()).toContain('sort=bytes')
  await page.select('[aria-label=Status]', 'refused')
  await expect.poll(() => rowTexts(page)).toEqual(['/gone /gone'])
  await page.reload()
  await page.waitForFunction('document.body.innerText.includes("1 of 3")')
})

test('Only what failed of a job is retried, with the options of its pages', { tags: ['long'] }, async () => {
  const urls = ['/one', '/gone'].map((path) => bench.site + path)
  const batch = await bench.engine.batch({ urls, timeout: 12_345 })
  await batch.end()
  await using page = await bench.open(`#/jobs/batch/${batch.id}/errors`)
  await page.locator('::-p-text(Retry with other options)').click()
  await page.waitForSelector('textarea#address')
  const valueOf = (selector: string) => page.$eval(selector, (field) => (field as unknown as { value: string }).value)
  expect(await valueOf('#address')).toBe(`${bench.site}/gone`)
  expect(await valueOf('#option-timeout')).toBe('12345')
})

test('A job is compared with another run: pages that are new, gone or changed', async () => {
  const run = async (paths: readonly string[]): Promise<string> => {
    const batch = await bench.engine.batch({ urls: paths.map((path) => bench.site + path) })
    await batch.end()
    return batch.id
  }
  const [before, after] = [await run(['/one', '/two']), await run(['/two', '/gone'])]
  await using page = await bench.open(`#/jobs/batch/${after}/compare`)
  await page.select('#compare-with', before)
  await page.waitForSelector('[aria-label=Differences]')
  const told = await page.$$eval('[role=row]', (rows) => rows.map((row) => row.textContent))
  expect(told).toEqual(['+ added/gonestatus 404', '− gone/onestatus 200'])
  expect(page.url()).toContain(`with=${before}`)
})

describe('Again', () => {
  const valueOf = (page: Page, selector: string) =>
    page.$eval(selector, (field) => (field as unknown as { value: string }).value)
  const codeOf = async (page: Page): Promise<string> => {
    await page.locator('::-p-text(The request as code)').click()
    return textOf(page, 'details.card pre')
  }

  test('has every address of a batch and every option that was set', { tags: ['long'] }, async () => {
    const urls = ['/one', '/two', '/gone'].map((path) => bench.site + path)
    const batch = await bench.engine.batch({
      urls,
      formats: ['markdown', { type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }],
      timeout: 12_345,
      onlyMainContent: false,
      maxConcurrency: 2,
    })
    await batch.end()
    await using page = await bench.open(`#/jobs/batch/${batch.id}`)
    await page.locator('::-p-text(Run again)').click()
    await page.waitForSelector('textarea#address')
    expect(await valueOf(page, '#address')).toBe(urls.join('\n'))
    const sent = JSON.parse(/-d '([^]*)'$/.exec(await codeOf(page))?.[1] ?? '') as object
    expect(sent).toMatchObject({
      urls,
      formats: ['markdown', { type: 'attributes', selectors: [{ selector: 'h1', attribute: 'id' }] }],
      timeout: 12_345,
      onlyMainContent: false,
      maxConcurrency: 2,
    })
  })

  test('has what a crawl was asked of its pages, and a page of it is tried with the same', async () => {
    const crawl = await bench.engine.crawl({
      url: `${bench.site}/`,
      limit: 2,
      scrapeOptions: { formats: ['links'], timeout: 23_456 },
    })
    await crawl.end()
    await using page = await bench.open(`#/jobs/crawl/${crawl.id}`)
    await page.locator('::-p-text(Run again)').click()
    await page.waitForSelector('#address')
    expect(await valueOf(page, '#address')).toBe(`${bench.site}/`)
    const sent = JSON.parse(/-d '([^]*)'$/.exec(await codeOf(page))?.[1] ?? '') as object
    expect(sent).toMatchObject({
      url: `${bench.site}/`,
      limit: 2,
      scrapeOptions: { formats: ['links'], timeout: 23_456 },
    })
    await page.evaluate(`location.hash = '#/try?again=${crawl.id}&url=${encodeURIComponent(`${bench.site}/one`)}'`)
    await page.waitForFunction(`document.querySelector('#address')?.value.endsWith('/one')`)
    expect(await codeOf(page)).toMatch(/"timeout": 23456/)
  })
})
