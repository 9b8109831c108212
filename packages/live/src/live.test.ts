// Live browsers as a property of an engine: who is let in, and what an engine without them says.
import { createEngine, EngineError } from '@harvestman/core'
import type { FeatureCall } from '@harvestman/core/plugin'
import type { LiveBrowser } from '@harvestman/ports'
import { hosting } from '@harvestman/hosting'
import { handClock } from '@harvestman/testing'
import { afterEach, describe, expect, test } from 'vitest'

import type { Live } from './live-port.ts'
import { live } from './live.ts'
import type { LiveOptions } from './options.ts'

const closing: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close()
})

const team = 'acme'
const noBrowser: LiveOptions['sessions'] = () => ({
  open: async () => Promise.reject(new EngineError('browser_failed', 'There is no browser in this test.')),
  close: async () => undefined,
})

function engineWith(options: LiveOptions = { sessions: noBrowser }) {
  const engine = createEngine({ clock: handClock(), plugins: [hosting(), live(options)] })
  closing.push(engine)
  return engine
}

/** The code of what a door rejects with; nothing when it is let in and done. */
async function codeOf(work: Promise<unknown>): Promise<string | undefined> {
  return work.then(
    () => undefined,
    (error: unknown) => (EngineError.is(error) ? error.code : String(error)),
  )
}

const doors: Readonly<Record<string, (of: Live, call: FeatureCall) => Promise<unknown>>> = {
  ofScrape: (of, call) => of.ofScrape(crypto.randomUUID(), call),
  open: (of, call) => of.open({}, call),
}

describe.each(Object.entries(doors))('engine.live.%s', (_, ask) => {
  test('is refused when its team has asked as often as it may in this minute, and others are not', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team, limits: { requestsPerMinute: { interact: 1 } } })
    expect(await codeOf(ask(engine.live, { team }))).not.toBe('rate_limited')
    expect(await codeOf(ask(engine.live, { team }))).toBe('rate_limited')
    expect(await codeOf(ask(engine.live, { team: 'other' }))).not.toBe('rate_limited')
    expect(await codeOf(ask(engine.live, {}))).not.toBe('rate_limited')
  })

  test('is refused to a key that is not for it, and noted so once', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team })
    const { key } = await engine.teams.createKey(team, { scopes: { groups: ['scrape'] } })
    const known = await engine.teams.verify(key)
    expect(await codeOf(ask(engine.live, known ?? {}))).toBe('scope_missing')
    const { data } = await engine.activity.list({}, { team })
    expect(data.map(({ refused, key }) => [refused, key])).toEqual([['scope_missing', known?.key]])
    const { key: own } = await engine.teams.createKey(team, { scopes: { groups: ['interact'] } })
    expect(await codeOf(ask(engine.live, (await engine.teams.verify(own)) ?? {}))).not.toBe('scope_missing')
  })

  test('is not counted again when a server has let it in', async () => {
    const engine = engineWith()
    await engine.teams.create({ id: team, limits: { requestsPerMinute: { interact: 1 } } })
    const admitted = await engine.admit({ group: 'interact' }, { team })
    expect(await codeOf(ask(engine.live, { team, admitted }))).not.toBe('rate_limited')
  })

  test('says what is missing where the plugin was given nothing that opens live browsers', async () => {
    await expect(ask(engineWith({}).live, {})).rejects.toMatchObject({
      code: 'not_configured',
      message: expect.stringMatching(/^This request needs live browsers\. Add live\(/) as string,
      details: { port: 'sessions' },
    })
  })
})

test('A team is refused a live browser beyond those that it may have', async () => {
  const engine = engineWith()
  await engine.teams.create({ id: team, limits: { browsers: 0 } })
  expect(await codeOf(engine.live.open({}, { team }))).toBe('too_many_sessions')
  expect(await codeOf(engine.live.open({}, { team: 'other' }))).toBe('browser_failed')
})

test('An engine says which ports it has for live browsers', () => {
  expect(engineWith().capabilities().ports).toContain('sessions')
  expect(engineWith({}).capabilities().ports).not.toContain('sessions')
})

test('What opens live browsers is closed with the engine, and so is the sandbox', async () => {
  const closed: string[] = []
  const close = (name: string) => async () => void closed.push(name)
  const engine = createEngine({
    plugins: [
      live({
        sessions: () => ({ open: () => Promise.reject(new Error('none')), close: close('sessions') }),
        sandbox: { open: () => Promise.reject(new Error('none')), close: close('sandbox') },
      }),
    ],
  })
  await engine.close()
  expect(closed.toSorted()).toEqual(['sandbox', 'sessions'])
})

test('The sandbox is closed with the engine although a live browser fails to close', async () => {
  let isClosed = false
  const browser = {
    gone: new AbortController().signal,
    use: async () => () => undefined,
    close: () => Promise.reject(new Error('It does not close.')),
  } as unknown as LiveBrowser
  const engine = createEngine({
    plugins: [
      live({
        sessions: () => ({ open: async () => browser, close: async () => undefined }),
        sandbox: { open: () => Promise.reject(new Error('none')), close: async () => void (isClosed = true) },
      }),
    ],
  })
  await engine.live.open()
  await engine.close()
  expect(isClosed).toBe(true)
})

test('What is given by mistake is refused by name', () => {
  // @ts-expect-error it is called and not given
  expect(() => live({ sessions: {} })).toThrow('sessions must be a function')
  // @ts-expect-error there is no such option
  expect(() => live({ session: noBrowser })).toThrow('session')
})

test('The languages of code are what the sandbox says, all where it says nothing, and none without one', async () => {
  const sandbox = { open: () => Promise.reject(new Error('none')), close: async () => undefined }
  const told = (given?: LiveOptions['sandbox']) => engineWith({ sessions: noBrowser, sandbox: given }).live.languages()
  expect(await told({ ...sandbox, languages: async () => ['bash'] })).toEqual(['bash'])
  expect(await told(sandbox)).toHaveLength(3)
  expect(await told()).toEqual([])
})
