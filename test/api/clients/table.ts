// Tries every client and writes the table of docs/compatibility.md: node test/api/clients/table.ts
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { answers } from '@harvestman/answers'
import { createEngine } from '@harvestman/core'
import { hosting } from '@harvestman/hosting'
import { live } from '@harvestman/live'
import { monitors } from '@harvestman/monitors'
import { apiKeys, createApi, serve } from '@harvestman/http'
import { searxng } from '@harvestman/search'
import { fakeBrowser, scriptedLLM, startSearxngServer, startSite } from '@harvestman/testing'

import { allowPrivate } from '../bench.ts'
import { agenticCases, agenticSearchCases } from './agentic.ts'
import { key } from './cases.ts'
import { n8nCases, n8nSearchCases } from './n8n-cases.ts'
import { areOthersInstalled, otherCases, otherSearchCases } from './others.ts'
import { programCases } from './program-cases.ts'
import { firstSdkCases } from './sdk-1.ts'
import { sdkCases } from './sdk.ts'
import { foundIn, searchCases, webSearchCases } from './search.ts'

if (!areOthersInstalled) throw new Error('Run `npm ci` in test/api/clients/others first.')

const site = await startSite()
const instance = await startSearxngServer(foundIn({ at: (path) => site.url + path }))
const engine = createEngine({
  allowPrivate,
  plugins: [answers, monitors(), hosting(), live()],
  browser: fakeBrowser({ pages: { '/js': '<main><h1>Made by a script</h1></main>' } }),
  llm: scriptedLLM(Array.from({ length: 40 }, () => ({ value: { legs: 8 } }))),
  search: searxng({ endpoint: instance.url }),
})
const server = await serve(createApi(engine, { authenticate: apiKeys(key) }), { port: 0 })
const house = { site, server, engine, at: (path: string) => site.url + path }

const cases = [
  ...sdkCases,
  ...firstSdkCases,
  ...otherCases,
  ...programCases,
  ...agenticCases,
  ...n8nCases,
  ...searchCases,
  ...webSearchCases,
  ...otherSearchCases,
  ...agenticSearchCases,
  ...n8nSearchCases,
]
// Groups the cases by client.
const all = [...Map.groupBy(cases, ({ client }) => client).values()].flat()

const rows: string[] = []
for (const { client, method, refused, run } of all) {
  const result = await run(house).then(
    () => (refused === undefined ? 'works' : `refused: ${refused}`),
    (error: unknown) => `fails: ${String(error).slice(0, 100)}`,
  )
  rows.push(`| ${client} | ${method} | ${result} |`)
  console.log(rows.at(-1))
}
await server.close()
await engine.close()
await instance.close()
await site.close()

const page = fileURLToPath(new URL('../../../docs/compatibility.md', import.meta.url))
const table = ['| Client | Calls | Result |', '| --- | --- | --- |', ...rows].join('\n')
const text = readFileSync(page, 'utf8')
writeFileSync(
  page,
  text.replace(
    /<!-- clients -->[^]*?<!-- end of clients -->/,
    `<!-- clients -->\n\n${table}\n\n<!-- end of clients -->`,
  ),
)
process.exit(rows.some((row) => row.includes('| fails')) ? 1 : 0)
