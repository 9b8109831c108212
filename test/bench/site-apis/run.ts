// Site APIs of fifteen sites: node test/bench/site-apis/run.ts
// Opens each site in Chromium, learns its recipe, and runs it for three pages. Prints a table.
import { createEngine } from '@harvestman/core'
import { siteApis } from '@harvestman/data/site-apis'
import { puppeteerBrowser } from '@harvestman/puppeteer'

import { itemNames, serveSites, sites } from '../../../packages/site-apis/test/sites.ts'

const served = await serveSites()
const engine = createEngine({ allowPrivate: ['127.0.0.0/8'], browser: puppeteerBrowser(), plugins: [siteApis()] })
const scrape = async (name: string, maxPages: number) => {
  served.take()
  const repeatPosts = sites[name]?.isPost ?? false
  const { siteApi } = await engine.scrape({
    url: `${served.origin}/${name}`,
    formats: [{ type: 'siteApi', maxPages, repeatPosts }],
  })
  return { ...siteApi, sent: served.take().length }
}

console.log('| Site | Result | Paging | Items | Requests to learn | Requests for the first page | Saved | |')
console.log('| --- | --- | --- | ---: | ---: | ---: | ---: | --- |')
for (const name of Object.keys(sites)) {
  const learned = await scrape(name, 1)
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
