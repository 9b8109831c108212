import type { EngineWork } from '@harvestman/core/plugin'
import type { LiveBrowser, SessionWish } from '@harvestman/ports'
import { expect, test } from 'vitest'

import { makeOpenBrowsers, readShownPage } from './open-browsers.ts'

const engineHeaders = { 'user-agent': 'Lamps/1.0' }
const proxy = { url: 'http://proxy.example:8080' }

/** Opens a live browser, and returns the entry for it. */
async function open(request: object) {
  const browsers = makeOpenBrowsers()
  const live = { gone: new AbortController().signal } as LiveBrowser
  const sessions = browsers.watched({ open: async () => live, close: async () => undefined })
  const work: EngineWork = { id: '1', team: 'acme', request, isOfJob: false, isRecorded: true }
  const profile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false, proxy }
  const wish: SessionWish = { team: 'acme', profile }
  await browsers.around(work, engineHeaders, () => sessions.open(wish, new AbortController().signal))
  return browsers.find('acme', '1')
}

test('headers of the engine are not headers of the caller', async () => {
  expect(await open({ headers: engineHeaders })).toMatchObject({ options: { hasHeaders: false }, proxy })
  expect(await open({ headers: { ...engineHeaders, cookie: 'a' } })).toMatchObject({ options: { hasHeaders: true } })
})

test('a page that does not respond is not waited for after the signal', async () => {
  const entry = await open({})
  const live = { call: () => new Promise<string>(() => undefined) }
  const stop = new AbortController()
  const read = entry && readShownPage({ ...entry, live }, stop.signal)
  stop.abort(new Error('too late'))
  await expect(read).rejects.toThrow('too late')
})
