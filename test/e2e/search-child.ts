// Searches, has the pages scraped later, says under which ids, and works on them until it is killed.
// node search-child.ts <store> <address of the site>
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'
import { scriptedSearch } from '@harvestman/testing'

const [, , path = '', site = ''] = process.argv
const web = ['one', 'two', 'three'].map((name) => ({ url: `${site}${name}`, title: name }))
const engine = createEngine({
  store: sqliteStore(path),
  allowPrivate: ['127.0.0.0/8'],
  search: scriptedSearch({ web }),
  limits: { leaseTime: 2_000 },
})
await engine.ledger.grant({ team: 'acme', credits: 100, id: 'first' })
const request = { query: 'x', asyncScraping: true, scrapeOptions: { formats: ['markdown'] as const } }
const { scrapeIds, creditsUsed } = await engine.unchecked.search(request, { team: 'acme' })
process.stdout.write(`${JSON.stringify({ ids: scrapeIds?.web, creditsUsed })}\n`)
setInterval(() => undefined, 1_000)
