// Two teams on one engine, each with its own credits and data.
import { createEngine, type EngineError } from '@harvestman/core'
import { hosting } from '@harvestman/http/hosting'

const [url = 'https://example.com'] = process.argv.slice(2)
const engine = createEngine({ plugins: [hosting()] })
for (const id of ['red', 'blue']) {
  await engine.teams.create({ id })
  await engine.ledger.grant({ team: id, credits: 1, id: 'welcome' })
}
const { metadata } = await engine.scrape({ url }, { team: 'red', keep: true })
const codes = await Promise.all([
  engine.results.find(metadata.scrapeId, { team: 'blue' }).catch((error: EngineError) => error.code),
  engine.scrape({ url }, { team: 'red' }).catch((error: EngineError) => error.code),
])
console.log(...codes, (await engine.usage({ team: 'blue' })).credits)
await engine.close()
