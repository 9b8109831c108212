// Lists the versions of a page that were seen, and what the last two differ in.
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
