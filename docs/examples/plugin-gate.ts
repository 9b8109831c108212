import { createEngine, EngineError } from '@harvestman/core'
import { defineGate, definePlugin } from '@harvestman/core/plugin'

const day = 86_400_000

/** So many requests a day and team, counted in the store of the engine: by all engines on it together. */
export function daily(most: number) {
  return defineGate({
    name: 'daily',
    open: ({ store, clock }) => ({
      admit: async (_, { team }) => {
        const key = `daily/${JSON.stringify(team)}/${Math.floor(clock.now() / day)}`
        const used = await store.update(key, (old) => Number(old ?? 0) + 1, { ttl: day })
        if (Number(used) > most) throw new EngineError('rate_limited', `${team} has asked ${most} times today.`)
        return {}
      },
    }),
  })
}

/** How many of these pages were read before the day's requests were used. */
export async function readSome(urls: readonly string[], most: number, allowPrivate: readonly string[] = []) {
  const engine = createEngine({ allowPrivate, plugins: [definePlugin({ name: 'days', gates: [daily(most)] })] })
  try {
    const pages = await Promise.allSettled(urls.map((url) => engine.scrape({ url }, { team: 'acme' })))
    return pages.filter(({ status }) => status === 'fulfilled').length
  } finally {
    await engine.close()
  }
}
