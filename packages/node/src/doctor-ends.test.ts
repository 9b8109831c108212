import { expect, test } from 'vitest'

import { peers, variables } from './doctor-settings.ts'
import { examine } from './doctor.ts'

test('a plugin that is missing and a webhook that is no URL are named, and the examination ends', async () => {
  const env = { HARVESTMAN_STORE: 'memory:', HARVESTMAN_BROWSER: 'http://127.0.0.1:9', HARVESTMAN_SEARCH_INDEX: 'off' }
  for (const [name, value, says] of [
    ['HARVESTMAN_PLUGINS', 'no-such-plugin', 'no-such-plugin does not exist'],
    ['HARVESTMAN_WEBHOOK', 'nowhere', 'URL'],
  ] as const) {
    const scraping = (await examine({ env: { ...env, [name]: value } })).find((each) => each.name === 'scraping')
    expect(scraping).toMatchObject({ state: 'broken', message: expect.stringContaining(says) })
  }
})

test('a misspelt variable is named with the setting that was meant', () => {
  expect(variables({ HARVESTMAN_STORE: 'memory:', HARVESTMAN_STROE: 'x', PATH: '' })).toEqual({
    ...{ name: 'variables', state: 'missing', message: 'HARVESTMAN_STROE: no such setting' },
    fix: 'Rename HARVESTMAN_STROE to HARVESTMAN_STORE.',
  })
  expect(variables({ HARVESTMAN_SOMETHING_ELSE: '1' }).fix).toBe('Remove HARVESTMAN_SOMETHING_ELSE.')
  expect(variables({ PORT: '1' }).state).toBe('good')
})

test('an address for other processes without a secret is broken', () => {
  expect(peers({ peerUrl: 'http://10.0.0.1:3002' })).toMatchObject({ state: 'broken' })
  expect(peers({ peerUrl: 'http://10.0.0.1:3002', peerSecret: 'x'.repeat(16) }).state).toBe('good')
})
