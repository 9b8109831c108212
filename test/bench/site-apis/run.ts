// Site APIs of fifteen sites: node test/bench/site-apis/run.ts [scrape|browser|record|har]
// Opens each site in Chromium, learns its recipe from the scrape (default), from a live browser, from its record or from a HAR file that
// Playwright writes, and runs it for three pages. Prints a table.
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'

import { createEngine } from '@harvestman/core'
import { siteApis } from '@harvestman/data/site-apis'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { records } from '@harvestman/record'

import { chromium } from 'playwright-core'

import { plainBrowser } from '../../plain-browser.ts'
import { itemNames, serveSites, sites } from '../../../packages/site-apis/test/sites.ts'

const served = await serveSites()
const engine = createEngine({
  allowPrivate: ['127.0.0.0/8'],
  browser: puppeteerBrowser(),
  plugins: [siteApis(), records(), live({ sessions: puppeteerSessions() })] as const,
})
const repeatPostsOf = (name: string) => sites[name]?.isPost ?? false
const scrape = async (name: string, maxPages: number) => {
  served.take()
  const { siteApi } = await engine.scrape({
    url: `${served.origin}/${name}`,
    formats: [{ type: 'siteApi', maxPages, repeatPosts: repeatPostsOf(name) }],
  })
  return { ...siteApi, sent: served.take().length }
}

interface Learned {
  readonly api?: string | undefined
  readonly refused: readonly { readonly reason: string }[]
  readonly sent: number
}

/** Opens a site in a live browser, and learns from it while it is open, or from its record afterwards. */
async function learnLater(name: string, isRecord: boolean): Promise<Learned> {
  await using session = await engine.live.open({ record: true })
  await session.act({ type: 'goto', url: `${served.origin}/${name}` })
  for (let left = 100; left > 0; left--) {
    const { text } = await session.snapshot()
    if (text.includes(itemNames[0] ?? '')) break
    await setTimeout(100)
  }
  const shown = (await session.snapshot()).text
  if (isRecord) await session.stop()
  served.take()
  const repeatPosts = repeatPostsOf(name)
  const { api, refused } = isRecord
    ? await engine.siteApis.learnFromRecord(session.id, { shown, repeatPosts })
    : await engine.siteApis.learnFromBrowser(session.id, { repeatPosts })
  return { api: api?.id, refused, sent: served.take().length }
}

const folder = await mkdtemp(join(tmpdir(), 'site-apis-'))

/** Opens a site in a browser that writes a HAR file, and learns from the file. */
async function learnFromHar(name: string): Promise<Learned> {
  const path = join(folder, `${name}.har`)
  const browser = await chromium.launch({ executablePath: await plainBrowser(), args: ['--no-sandbox'] })
  let shown = ''
  try {
    const context = await browser.newContext({ recordHar: { path } })
    const page = await context.newPage()
    await page.goto(`${served.origin}/${name}`)
    await page.getByText(itemNames[0] ?? '').waitFor({ timeout: 10_000 })
    shown = await page.locator('body').innerText()
    await context.close()
  } finally {
    await browser.close()
  }
  served.take()
  const file = await readFile(path, 'utf8')
  const { api, refused } = await engine.siteApis.learnFromFile({ file, shown, repeatPosts: repeatPostsOf(name) })
  return { api: api?.id, refused, sent: served.take().length }
}

const [mode = 'scrape'] = process.argv.slice(2)
const ways: Readonly<Record<string, (name: string) => Promise<Learned>>> = {
  scrape: (name) => scrape(name, 1),
  browser: (name) => learnLater(name, false),
  record: (name) => learnLater(name, true),
  har: learnFromHar,
}
const learnBy = ways[mode]
if (!learnBy) throw new Error(`${mode}: pass scrape, browser, record or har.`)
console.log('| Site | Result | Paging | Items | Requests to learn | Requests for the first page | Saved | |')
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | --- |')
for (const name of Object.keys(sites)) {
  const learned = await learnBy(name)
  const first = await scrape(name, 1)
  const all = await scrape(name, 3)
  const paging = all.api === undefined ? '' : ((await engine.siteApis.get(all.api)).recipe.paging?.by ?? 'none')
  const result = learned.api === undefined ? 'refused' : all.from === 'http' ? 'runs without a browser' : 'failed'
  const right = all.items.filter((item, at) => item['name'] === itemNames[at]).length
  const saved = all.api === undefined ? '' : first.savedRequests
  const counts = [`${right} of ${itemNames.length}`, learned.sent, all.api === undefined ? '' : first.sent, saved]
  console.log(`| ${[name, result, paging, ...counts, learned.refused[0]?.reason ?? ''].join(' | ')} |`)
}
await engine.close()
await rm(folder, { recursive: true })
await served.close()
