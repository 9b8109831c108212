import { createEngine, EngineError } from '@harvestman/core'
import { defineGate, definePlugin } from '@harvestman/core/plugin'

const day = 86_400_000

/** Limits the requests of a team per day. The count is in the store, so all engines on it share the limit. */
export function daily(most: number) {
  return defineGate({
    name: 'daily',
    open: ({ store, clock }) => ({
      admit: async (_, { team }) => {
        const key = `daily/${JSON.stringify(team)}/${Math.floor(clock.now() / day)}`
        const used = await store.update(key, (old) => Number(old ?? 0) + 1, { ttl: day })
        if (Number(used) > most)
          throw new EngineError('rate_limited', `${team} has used its ${most} requests of today.`)
        return {}
      },
    }),
  })
}

/** Returns how many of these pages were read before the daily limit was reached. */
export async function readSome(urls: readonly string[], most: number, allowPrivate: readonly string[] = []) {
  const engine = createEngine({ allowPrivate, plugins: [definePlugin({ name: 'days', gates: [daily(most)] })] })
  try {
    const pages = await Promise.allSettled(urls.map((url) => engine.scrape({ url }, { team: 'acme' })))
    return pages.filter(({ status }) => status === 'fulfilled').length
  } finally {
    await engine.close()
  }
}
