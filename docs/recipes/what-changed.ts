// Prints the changes of a page since the last run, as a Git diff.
import { createEngine } from '@harvestman/core'
import { sqliteStore } from '@harvestman/keyv'

const [url = 'https://example.com/news', file = 'harvestman.sqlite'] = process.argv.slice(2)
const store = sqliteStore(file)
const engine = createEngine({ store })
const { changeTracking } = await engine.scrape({
  url,
  formats: ['markdown', { type: 'changeTracking', modes: ['git-diff'] }],
})
console.log(changeTracking?.changeStatus)
if (changeTracking?.diff) console.log(changeTracking.diff.text)
await engine.close()
await store.close()
