// Site APIs of fifteen sites: node test/bench/site-apis/run.ts [scrape|browser|record]
// Opens each site in Chromium, learns its recipe from the scrape (default), from a live browser or from its record, and runs it for
// three pages. Prints a table.
import { setTimeout } from 'node:timers/promises'

import { createEngine } from '@harvestman/core'
import { siteApis } from '@harvestman/data/site-apis'
import { live } from '@harvestman/live'
import { puppeteerBrowser, puppeteerSessions } from '@harvestman/puppeteer'
import { records } from '@harvestman/record'

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

const [mode = 'scrape'] = process.argv.slice(2)
if (!['scrape', 'browser', 'record'].includes(mode)) throw new Error(`${mode}: pass scrape, browser or record.`)
console.log('| Site | Result | Paging | Items | Requests to learn | Requests for the first page | Saved | |')
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | --- |')
for (const name of Object.keys(sites)) {
  const learned: Learned = mode === 'scrape' ? await scrape(name, 1) : await learnLater(name, mode === 'record')
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
await served.close()
