// Counts the stored versions of a page, and prints the difference between the last two.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const [url = 'https://example.com/news', file = 'harvestman.sqlite'] = process.argv.slice(2)
const store = sqliteStore(file)
const engine = createEngine({ store })
const { versions } = await engine.changes.history({ url })
console.log(`${versions.length} versions`)
if (versions.length > 1) console.log((await engine.changes.diff({ url })).diff.text)
await engine.close()
await store.close()
