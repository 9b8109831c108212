import type { PolicyPage } from '@harvestman/core/plugin'
import { expect, test } from 'vitest'

import { readConfig } from './config.ts'
import { preferencesOf } from './preferences.ts'

const pluginOf = (uses: string) => preferencesOf(readConfig({ env: { HARVESTMAN_USES: uses } }).config)

test('uses of one team replace those of all teams', async () => {
  const [policy] = pluginOf('ai-train, acme:search').policies
  const page: PolicyPage = {
    ...{ url: 'https://a.example/', status: 200, elements: [] },
    headers: { 'content-usage': 'train-ai=n, search=n' },
  }
  const reasonFor = async (team: string) =>
    policy!.mayUse!(page, { team, signal: new AbortController().signal, isOffline: true })
  expect(await reasonFor('acme')).toMatch(/does not allow the use search/)
  expect(await reasonFor('other')).toMatch(/does not allow the use ai-train/)
})

test('a server without uses has the format, and no policy', () => {
  const { policies, formats } = pluginOf('')
  expect([policies, formats.map(({ type }) => type)]).toEqual([[], ['preferences']])
})

test('an unknown use is refused by name', () => {
  expect(() => pluginOf('acme:training')).toThrow(
    /uses: "training" is not a use\. Choose search, ai-input, ai-train, tdm\./,
  )
})
