// Stops all work after a second, or when the caller aborts.
import { createEngine, EngineError } from '@harvestman/core'

const [url = 'https://example.com/slow'] = process.argv.slice(2)
const engine = createEngine()
try {
  await engine.scrape({ url, timeout: 1_000 }, { signal: AbortSignal.timeout(5_000) })
} catch (error) {
  if (!EngineError.is(error)) throw error
  console.log(error.code)
}
await engine.close()
