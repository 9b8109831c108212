// Looks at ten pages again and again, twenty at once, and prints a line for each look that is over. It is killed meanwhile.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

let looks = 0
const fetcher = () => ({
  exchange: async () => ({
    status: 200,
    headers: [['content-type', 'text/html']] as const,
    // A new price with each fiftieth look.
    body: new TextEncoder().encode(`<main><h1>Lamp</h1><p>It costs EUR ${Math.floor((looks += 1) / 50)}.</p></main>`),
  }),
  close: async () => undefined,
})
const engine = createEngine({ store: sqliteStore(process.argv[2]!), fetcher })
const look = async (worker: number): Promise<never> => {
  for (;;) {
    const url = `https://a.test/${worker % 10}`
    await engine.scrape({ url, formats: ['markdown', 'changeTracking'] })
    process.stdout.write(`${url}\n`)
  }
}
await Promise.all(Array.from({ length: 20 }, (_, worker) => look(worker)))
