// What the web page costs those who keep it open: the first paint and the packed bytes of each view, frames a second and
// bytes while a crawl runs, and frames while 100,000 rows are scrolled through.
// Run: node test/bench/page/run.ts [pages of the crawl] [rows] [rounds of first paint]
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'

import { launch, type Browser } from 'puppeteer-core'

import { median } from '../ratios.ts'
import { plainBrowser } from '../../plain-browser.ts'
import { rowsFrom } from '../../pictures/rows.ts'
import { startServer, type Served } from '../../pictures/served.ts'
import { framesDuring, openTab, paintOf, type Frames } from './tab.ts'

const [pages = 10_000, rows = 100_000, rounds = 5] = process.argv.slice(2).map(Number)
const views = [
  'try',
  'jobs',
  'changes',
  'monitors',
  'datasets',
  'browsers',
  'activity',
  'keys',
  'connect',
  'status',
  'api',
]

const kilobytes = (bytes: number): number => Math.round(bytes / 100) / 10

/** The first tab of a server is told apart: it waits for what the server does once. */
async function tellPaint(browser: Browser, { url }: Served): Promise<void> {
  const first = await paint(browser, `${url}/#/try`)
  console.log(`The first tab of the server: first paint after ${first.first} ms, heading after ${first.heading} ms`)
  const told: Record<string, object> = {}
  const all = new Map<string, Awaited<ReturnType<typeof paint>>[]>(views.map((view) => [view, []]))
  // View by view in each round: what else the machine does for a moment is then not the fault of one view.
  for (let round = 0; round < rounds; round += 1)
    for (const [view, found] of all) found.push(await paint(browser, `${url}/#/${view}`))
  for (const [view, found] of all) {
    const at = (key: 'first' | 'heading'): number => median(found.map((one) => one[key]))
    const { files = 0, answers = 0, requests = 0 } = found.at(-1) ?? {}
    told[view] = {
      'first paint, ms': at('first'),
      slowest: Math.max(...found.map(({ first }) => first)),
      'heading, ms': at('heading'),
      'files, KB': kilobytes(files),
      'answers, KB': kilobytes(answers),
      requests,
    }
  }
  console.table(told)
}

async function paint(browser: Browser, url: string) {
  await using tab = await openTab(browser)
  // The process of the tab is started by then, and its caches hold nothing of the page.
  await tab.page.goto(new URL('/health', url).href)
  const before = tab.bytes()
  const { first, heading } = await paintOf(tab.page, url)
  await tab.page.waitForNetworkIdle({ idleTime: 300 })
  const { files, answers, requests } = tab.bytes()
  return {
    first: Math.round(first),
    heading: Math.round(heading),
    files,
    answers: answers - before.answers,
    requests: requests - before.requests,
  }
}

/** A crawl with its view open, from its start to its end. */
async function tellCrawl(browser: Browser, server: Served, site: string): Promise<void> {
  await using tab = await openTab(browser)
  const { id = '', ...said } = await server.ask<{ id?: string }>('/v2/crawl', {
    url: site,
    limit: pages,
    maxDiscoveryDepth: 1_000,
  })
  if (id === '') throw new Error(JSON.stringify(said))
  await tab.page.goto(`${server.url}/#/jobs/crawl/${id}`)
  await tab.page.waitForSelector('h1')
  const began = performance.now()
  const before = tab.bytes()
  let done = 0
  const frames = await framesDuring(tab, async () => {
    for (let status = 'scraping'; status === 'scraping'; await setTimeout(1_000)) {
      const { job } = await server.ask<{ job: { status: string; completed: number } }>(`/v2/jobs/${id}/rows?limit=1`)
      ;({ status, completed: done } = job)
    }
  })
  const seconds = (performance.now() - began) / 1_000
  const { answers, requests } = tab.bytes()
  console.table({
    [`crawl of ${done} pages, page open`]: {
      seconds: Math.round(seconds),
      ...told(frames),
      'KB received': kilobytes(answers - before.answers),
      'bytes a page': Math.round((answers - before.answers) / done),
      requests: requests - before.requests,
    },
  })
}

function told({ perSecond, kept, longest, p99, cpu }: Frames): object {
  return { 'frames/s': perSecond, 'of 60': kept, 'p99 frame, ms': p99, 'longest, ms': longest, 'CPU ms a frame': cpu }
}

/** All rows of a large job, from the first to the last and back, as fast as a hand can throw them. */
async function tellRows(browser: Browser, { url }: Served): Promise<void> {
  await using tab = await openTab(browser)
  const { page } = tab
  await page.setRequestInterception(true)
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (!asked.pathname.endsWith('/rows')) return void request.continue()
    const body = JSON.stringify(rowsFrom(Number(asked.searchParams.get('cursor') ?? 0), rows))
    void request.respond({ status: 200, contentType: 'application/json', body })
  })
  await page.goto(`${url}/#/jobs/crawl/large`)
  const whole = `.scroller[aria-rowcount="${rows + 1}"]`
  const loading = await framesDuring(tab, () => page.waitForSelector(whole))
  const list = `document.querySelector('${whole}')`
  const scroll = (pixels: number): Promise<Frames> =>
    framesDuring(
      tab,
      () => setTimeout(10_000),
      `{ const list = ${list}; list.scrollTop = (list.scrollTop + ${pixels}) % list.scrollHeight }`,
    )
  const reading = await scroll(40)
  const thrown = await scroll(7_333)
  const typed = await framesDuring(tab, async () => {
    await page.type('input.filter', '99-long')
    await page.waitForFunction(`document.querySelector('.scroller').ariaRowCount < ${rows}`)
  })
  const elements = (await page.evaluate(`document.querySelectorAll('*').length`)) as number
  console.table({
    [`loading ${rows} rows`]: told(loading),
    'scrolled by 40 px a frame': told(reading),
    'scrolled by 167 rows a frame': told(thrown),
    'a word typed into the filter': told(typed),
  })
  console.log(`Elements in the page: ${elements}`)
}

/** Words that no other page has in this order: pages that read alike are taken for a part of the site that has no end. */
const wordsOf = (page: number): string =>
  Array.from({ length: 60 }, (_, at) => ((page * 7_919 + at * 104_729) % 456_976).toString(36)).join(' ')

// Small pages: what the open page costs depends on their number, not on their size.
const site = createServer((request, response) => {
  const number = Number(/^\/(\d+)$/.exec(request.url ?? '')?.[1] ?? 0)
  const links = Array.from({ length: 20 }, (_, at) => number * 20 + at + 1).filter((to) => to < 2 * pages)
  response.writeHead(200, { 'content-type': 'text/html' })
  response.end(
    `<!doctype html><title>Page ${number}</title><main><h1>Page ${number}</h1><p>${wordsOf(number)}</p>${links.map((to) => `<a href="/${to}">${to}</a>`).join(' ')}</main>`,
  )
})
await once(site.listen(0, '127.0.0.1'), 'listening')
const { port } = site.address() as AddressInfo
const browser = await launch({ executablePath: await plainBrowser(), args: ['--no-sandbox', '--disable-gpu'] })
{
  await using server = await startServer()
  if (rounds > 0) await tellPaint(browser, server)
  if (rows > 0) await tellRows(browser, server)
  if (pages > 0) await tellCrawl(browser, server, `http://127.0.0.1:${port}/`)
}
await browser.close()
site.closeAllConnections()
site.close()
