import { scriptedSearch } from '@harvestman/testing'
import { expect, test } from 'vitest'

import type { MakeBrowser, Tab } from '@harvestman/ports'
import { createEngine } from '../engine/engine.ts'
import { good } from './fixtures/house.ts'

const page = 'https://a.example/'

/** An engine whose browser counts how often the state of a tab is saved. */
function counting() {
  let saved = 0
  const browser: MakeBrowser = () => ({
    open: async () => {
      const tab: Partial<Tab> = {
        goto: async (url) => ({ url: url.href, status: 200, headers: [] }),
        click: async () => undefined,
        url: async () => page,
        html: async () => good,
        save: async () => {
          saved += 1
          return { cookies: [], storage: {} }
        },
        close: async () => undefined,
      }
      return tab as Tab
    },
    close: async () => undefined,
  })
  const web = [{ url: page, title: 'A', description: 'A' }]
  return { engine: createEngine({ browser, search: scriptedSearch({ web }) }), saves: () => saved }
}

const options = { profile: { name: 'mine' }, actions: [{ type: 'click', selector: 'h1' }] } as const

test('a scrape saves its profile after its actions, and the pages of a search do not', async () => {
  const { engine, saves } = counting()
  await using _ = engine
  const { web } = await engine.search({ query: 'x', scrapeOptions: { ...options, formats: ['markdown'] } })
  expect([web?.map((one) => 'markdown' in one), saves()]).toEqual([[true], 0])
  await engine.scrape({ url: page, ...options })
  expect(saves()).toBe(1)
})
