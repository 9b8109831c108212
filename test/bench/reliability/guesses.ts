// Guesses at the ids of another's things: node test/bench/reliability/guesses.ts [guesses: 1000000]
// A crawl and a kept scrape are there. Half of the guesses know the time in the id of the crawl, as one might who saw it begin.
import { createEngine, EngineError } from '@harvestman/core'

import { startSite } from '@harvestman/testing'

const [guesses = 1_000_000] = process.argv.slice(2).map(Number)
const atOnce = 500

const site = await startSite()
const engine = createEngine({ allowPrivate: [`127.0.0.1:${new URL(site.url).port}`] })
const { id } = await engine.crawl({ url: `${site.url}/good/docs`, limit: 1 })
await engine.scrape({ url: `${site.url}/good/docs` }, { keep: true })

let [found, other] = [0, 0]
const guess = async (ask: () => Promise<unknown>): Promise<void> => {
  try {
    await ask()
    found += 1
  } catch (error) {
    if (!EngineError.is(error) || error.code !== 'not_found') other += 1
  }
}
const began = performance.now()
for (let made = 0; made < guesses; made += atOnce) {
  await Promise.all(
    Array.from({ length: atOnce / 2 }, () => crypto.randomUUID()).flatMap((random) => [
      guess(() => engine.jobs.find(id.slice(0, 15) + random.slice(15))),
      guess(() => engine.results.find(random)),
    ]),
  )
}
const seconds = Math.round((performance.now() - began) / 1_000)
console.table([{ guesses, found, 'answered with anything but not found': other, seconds }])
await engine.close()
await site.close()
process.exitCode = found + other === 0 ? 0 : 1
