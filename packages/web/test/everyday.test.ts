// @module-tag browser
// The four everyday flows in a real browser, with pictures of each at two widths and in both themes.
import { mkdirSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'

import { data } from '@harvestman/data'
import { monitors } from '@harvestman/monitors'
import type { Page } from 'puppeteer-core'
import { expect, test, vi } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import { textOf, useBench } from './bench.ts'

vi.setConfig({ testTimeout: 240_000 })

const words = 'This page has enough words to count as the content of a page, in a sentence or two. '.repeat(4)
const article = (title: string, more = ''): string =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${more}</main></html>`
const pictures = join(import.meta.dirname, '../../../node_modules/.cache/harvestman-tests/everyday')
mkdirSync(pictures, { recursive: true })

const bench = useBench(
  {
    '/': article('Teapots', '<p><a href="/one">One</a></p>'),
    '/one': article('One'),
    '/gone': { status: 404, html: article('Gone') },
  },
  { plugins: [monitors(), data()] },
)

/** Takes the view at a desk and on a phone, light and dark. */
async function take(page: Page, name: string): Promise<void> {
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewport({ width, height })
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      await page.screenshot({ path: `${pictures}/${name}-${width}-${theme}.png` })
    }
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  }
  await page.setViewport({ width: 1280, height: 800 })
}

/** An address at which nothing listens. */
async function closedAddress(): Promise<string> {
  const server = createServer()
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  await new Promise((closed) => server.close(closed))
  return `http://127.0.0.1:${port}/`
}

const press = (page: Page, name: string): Promise<void> =>
  page.locator(`::-p-xpath(//main//button[normalize-space()="${name}"])`).click()
const shows = (page: Page, text: string) =>
  page.waitForFunction(`document.querySelector('main')?.innerText.includes(${JSON.stringify(text)})`)
/** An expression: whether an element is there and in no fold. */
const isShown = (selector: string): string =>
  `document.querySelector(${JSON.stringify(selector)})?.checkVisibility() === true`
const hashOf = (page: Page): string => new URL(page.url()).hash

test('a page is scraped, and its Markdown is copied and can be downloaded', async () => {
  await using page = await bench.open()
  await page.browserContext().overridePermissions(bench.url, ['clipboard-read', 'clipboard-sanitized-write'])
  await page.type('#address', `${bench.site}/`)
  await press(page, 'Run')
  await page.waitForSelector('.result-actions')
  await press(page, 'Copy Markdown')
  await page.waitForSelector('.toast')
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toMatch(/^# Teapots/)
  expect(await textOf(page, '.result-actions')).toContain('Download')
  await take(page, 'scrape')
})

for (const [width, isWide] of [
  [1440, true],
  [1024, true],
  [768, false],
  [390, false],
  [320, false],
] as const)
  test(
    `a result folds the options and takes the full width, and a refused option opens them again: ${width} px`,
    longIf(width !== 1440),
    async () => {
      const search = '[aria-label="Find an option"]'
      await using page = await bench.open('#/try', { width, height: 900 })
      await page.type('#address', `${bench.site}/`)
      await page.waitForSelector(search)
      expect(await page.evaluate(isShown(search))).toBe(isWide)
      await press(page, 'Run')
      await page.waitForSelector('.result-actions')
      await page.waitForFunction(`!(${isShown(search)})`)
      const [form, result] = (await page.evaluate(
        `['main form', '.split .stack.wide'].map((one) => document.querySelector(one).getBoundingClientRect().width)`,
      )) as [number, number]
      expect(result).toBe(form)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
      await page.click('.split summary')
      await page.type(search, 'timeout')
      await page.type('#option-timeout', '1')
      await page.click('.split summary')
      await press(page, 'Run')
      await page.waitForFunction(isShown('#option-timeout-refused'))
    },
  )

test(
  'a job with failures says so with one count everywhere, and a retry starts at once with what can work',
  { tags: ['long'] },
  async () => {
    const closed = await closedAddress()
    const urls = ['/', '/one', '/gone'].map((path) => `${bench.site}${path}`)
    const job = await bench.engine.batch({ urls: [...urls, closed, 'http://10.0.0.1/'] })
    await job.end()
    await using page = await bench.open(`#/jobs/batch/${job.id}/errors`)
    await shows(page, 'Retry 1 page')
    expect(await textOf(page, 'h1')).toBe('Batch of 5 pages of 3 sites')
    expect(await textOf(page, '.state')).toBe('completed with failures')
    expect(await textOf(page, '.facts-line')).toMatch(/3 of 5 pages[^]*2 failed/)
    expect(await textOf(page, '[role=tab][aria-selected=true]')).toBe('Failed 2')
    const failures = await textOf(page, '[role=tabpanel]')
    expect(failures).toContain('2 pages not retried: they would fail again for the same reason.')
    expect(failures).toMatch(/Failed 2[^]*The host refused the connection[^]*SCRAPE_SITE_ERROR · a retry may help/)
    expect(failures).toMatch(/URL_BLOCKED · a retry will not help\s+http:\/\/10\.0\.0\.1\//)
    const other = await page.$eval('::-p-text(Retry with other options)', (link) => link.getAttribute('href'))
    expect(other).toBe(`#/try?failed=${job.id}`)
    await take(page, 'failures')
    await press(page, 'Retry 1 page')
    await page.waitForFunction(`!location.hash.includes('${job.id}')`)
    expect(hashOf(page)).toMatch(/^#\/jobs\/batch\//)
    const retried = hashOf(page).split('/')[3] ?? ''
    const { request } = (await (await fetch(`${bench.url}/v2/jobs/${retried}`)).json()) as {
      request: { urls: unknown }
    }
    expect(request.urls).toEqual([closed])
    await page.evaluate("location.hash = '#/jobs'")
    await shows(page, 'completed with failures')
    expect(await textOf(page, '.row .sign.refused')).toBe('!')
    expect(await textOf(page, `.row[href$="${job.id}"]`)).toMatch(
      /5 pages of 127\.0\.0\.1:\d+ and 2 more sites\s+Batch/,
    )
    await take(page, 'jobs')
  },
)

test(
  'a monitor whose check could not load a page shows a check with failures, under the name of the monitor',
  { tags: ['long'] },
  async () => {
    await using page = await bench.open('#/monitors')
    await page.type('#monitor-urls', `${bench.site}/\nhttp://127.0.0.1:1/`)
    await page.type('#monitor-name', 'Prices')
    await press(page, 'Create monitor')
    await shows(page, 'No checks yet.')
    await press(page, 'Check now')
    await shows(page, 'completed with failures')
    expect(await textOf(page, '[aria-label=Checks] .sign')).toBe('!')
    expect(await textOf(page, 'main h3')).toMatch(/^Prices: check of /)
    // The list of monitors is polled apart from the checks.
    await vi.waitFor(async () => expect(await textOf(page, '[aria-label=Monitors] .sign')).toBe('!'), 60_000)
    expect(await textOf(page, 'main .split')).toContain('every day')
    await take(page, 'monitor')
    await vi.waitFor(async () => {
      expect(await (await fetch(`${bench.url}/v2/team/activity`)).text()).toContain('"failed_pages":1')
    }, 60_000)
    for (const [list, failures] of [
      ['jobs', 'completed with failures'],
      ['activity', '1 page failed'],
    ] as const) {
      await page.evaluate(`location.hash = '#/${list}'`)
      await shows(page, 'Prices: 2 pages of 127.0.0.1')
      await shows(page, failures)
      await take(page, `monitor-${list}`)
    }
  },
)

test('a dataset is created on the page, and filled rows are shown', async () => {
  await using page = await bench.open('#/datasets')
  await press(page, 'New dataset')
  await page.type('#dataset-name', 'teapots')
  await press(page, 'Create dataset')
  await page.waitForFunction("location.hash === '#/datasets/teapots'")
  const body = JSON.stringify({ rows: [{ values: { url: 'https://a.test/', name: 'Teapot' } }] })
  const put = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  expect((await fetch(`${bench.url}/v2/datasets/teapots/rows`, put)).status).toBe(200)
  await page.reload()
  await shows(page, 'Teapot')
  await take(page, 'dataset')
})

test('an item that does not exist says so, and leads back to its list', { tags: ['long'] }, async () => {
  await using page = await bench.open('#/jobs/crawl/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11')
  for (const [item, says, back] of [
    ['jobs/crawl/0198c7a1-5f0e-7c3a-9f5d-0a4d2b1c7e11', 'Job not found', 'jobs'],
    ['jobs/unknown/1', 'no job kind', 'jobs'],
    ['monitors/1', 'No monitor has this id', 'monitors'],
    ['datasets/unknown', 'Dataset not found', 'datasets'],
    ['page/unknown', 'Invalid job ID', 'activity'],
  ] as const) {
    await page.evaluate(`location.hash = '#/${item}'`)
    await shows(page, says)
    await page.locator(`main a[href="#/${back}"]`).click()
    await page.waitForFunction(`location.hash === '#/${back}'`)
  }
})

test('an address without a view says so, and the navigation fits a phone', { tags: ['long'] }, async () => {
  await using page = await bench.open('#/no-such-view', { width: 390, height: 844 })
  expect(await textOf(page, 'h1')).toBe('Not found')
  await page.click('nav .more summary')
  await page.screenshot({ path: `${pictures}/navigation-390.png` })
  await page.locator('nav ::-p-text(Activity)').click()
  await page.waitForFunction("location.hash === '#/activity'")
  expect(await textOf(page, 'nav .more summary')).toContain('Activity')
})
