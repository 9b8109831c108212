// Other people's clients, unmodified, from the registry, pointed at our server.
import { pageIndex, searxng } from '@harvestman/search'
import { fakeBrowser, scriptedLLM, startSearxngServer } from '@harvestman/testing'
import { afterAll, beforeAll, describe, test } from 'vitest'

import { longIf } from '../../../scripts/long-tests.ts'
import type { ProgramName } from '../../../scripts/programs.ts'
import { openHouse } from '../bench.ts'
import { agenticCases, agenticSearchCases } from './agentic.ts'
import { key, type ClientCase } from './cases.ts'
import { n8nCases, n8nSearchCases, slowOperation } from './n8n-cases.ts'
import { commandLine, mcp, otherCases, otherSearchCases } from './others.ts'
import { programCases } from './program-cases.ts'
import { firstSdkCases } from './sdk-1.ts'
import { sdkCases } from './sdk.ts'
import { foundIn, searchCases, webSearchCases } from './search.ts'

const browser = fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } })
// An agent with this word gets no answer, so that it can be cancelled while it runs.
const model = scriptedLLM([
  ({ prompt, turns = [] }) =>
    (prompt + JSON.stringify(turns)).includes('silence') ? 'silence' : { value: { legs: 8 } },
])
const instance = await startSearxngServer()
const house = openHouse(key, {
  browser,
  llm: model,
  search: searxng({ endpoint: instance.url, timeout: 60_000 }),
})
instance.script(foundIn(house))
afterAll(() => instance.close())

const otherSearches = [...otherSearchCases, ...agenticSearchCases, ...n8nSearchCases]
const others = [...otherCases, ...programCases, ...agenticCases, ...n8nCases]
const ofOthers = new Set<ClientCase>([...others, ...otherSearches])
const all = [...sdkCases, ...firstSdkCases, ...others, ...searchCases, ...otherSearches, ...webSearchCases]
// Each method of them is a start of a program.
const startsProgram = ({ client, method }: ClientCase) =>
  [commandLine, mcp].includes(client) && !['scrape', 'firecrawl_scrape'].includes(method)
const tagsOf = (one: ClientCase): (ProgramName | 'long')[] => [
  ...(ofOthers.has(one) ? (['other-clients'] as const) : []),
  ...longIf(startsProgram(one) || one.method === slowOperation).tags,
]
const byClient = (cases: readonly ClientCase[]) => [...Map.groupBy(cases, ({ client }) => client)]

for (const [client, cases] of byClient(all))
  describe(client, () => {
    for (const one of cases) test(one.method, { tags: tagsOf(one) }, async () => one.run(house))
  })

describe('where what was scraped is searched', () => {
  const index = pageIndex()
  const other = openHouse(key, { search: index, plugins: [index.plugin] })
  beforeAll(async () => {
    for (const path of ['/good/article', '/good/table']) await other.engine.scrape({ url: other.at(path) })
  })

  // One of the programs reads its settings once for the whole process.
  const several = [...searchCases, ...otherSearches].filter(({ client }) => !client.startsWith('firecrawl-aisdk'))
  for (const one of several) test(`${one.client}, ${one.method}`, { tags: tagsOf(one) }, async () => one.run(other))
})
