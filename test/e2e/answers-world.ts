// What agents and research meet in the tests of crashes: a shop of two pages, and a search that knows them.
import type { Search } from '@harvestman/ports'

export const shopPages: Readonly<Record<string, string>> = {
  '/': '<title>Lamps</title><main><h1>Lamps</h1><p>We sell lamps of many kinds.</p></main>',
  '/aurora': '<title>Aurora</title><main><h1>Aurora</h1><p>The Aurora is made of oak and costs EUR 12.</p></main>',
}

export function searchOf(shop: string): Search {
  const hits = [{ url: `${shop}aurora`, title: 'Aurora', description: 'A lamp of oak' }]
  return { name: 'the shop', sources: ['web'], follows: [], find: async () => hits }
}
