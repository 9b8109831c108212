// Other people's clients, unmodified, from the registry, pointed at our server.
import { pageIndex, searxng } from '@harvestman/search'
import { fakeBrowser, scriptedLLM, startSearxngServer } from '@harvestman/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { openHouse } from '../bench.ts'
import { key, type ClientCase } from './cases.ts'
import { areOthersInstalled, otherCases, otherSearchCases } from './others.ts'
import { firstSdkCases } from './sdk-1.ts'
import { sdkCases } from './sdk.ts'
import { foundIn, searchCases, webSearchCases } from './search.ts'

const browser = fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } })
const replies = Array.from({ length: 20 }, () => ({ value: { legs: 8 } }))
const instance = await startSearxngServer()
const house = openHouse(key, {
  browser,
  llm: scriptedLLM(replies),
  search: searxng({ endpoint: instance.url, timeout: 60_000 }),
})
instance.script(foundIn(house))
afterAll(() => instance.close())

if (!areOthersInstalled) {
  console.log(
    `${otherCases.length + otherSearchCases.length} cases of larger clients are left out. \`npm ci\` in test/api/clients/others brings them.`,
  )
}
const searches = [...searchCases, ...(areOthersInstalled ? otherSearchCases : [])]
const all = [...sdkCases, ...firstSdkCases, ...(areOthersInstalled ? otherCases : []), ...searches, ...webSearchCases]
const byClient = (cases: readonly ClientCase[]) => [...Map.groupBy(cases, ({ client }) => client)]

describe.each(byClient(all))('%s', (_, cases) => {
  test.each(cases.map((one) => [one.method, one] as const))('%s', async (__, { run }) => run(house))
})

describe('where what was scraped is searched', () => {
  const index = pageIndex()
  const other = openHouse(key, { search: index, plugins: [index.plugin] })
  beforeAll(async () => {
    for (const path of ['/good/article', '/good/table']) await other.engine.scrape({ url: other.at(path) })
  })

  // One of the programs reads its settings once for the whole process.
  const several = searches.filter(({ client }) => !client.startsWith('firecrawl-aisdk'))
  test.each(several.map((one) => [one.client, one.method, one] as const))('%s, %s', async (_, __, { run }) =>
    run(other),
  )
})
