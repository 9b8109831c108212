import { definePort, type FeatureKit } from '@harvestman/core/plugin'
import type { Wire } from '@harvestman/ports'
import { expect, test } from 'vitest'

import type { ScriptBrowser, ScriptBrowsers } from './browsers.ts'
import { openScripts } from './open.ts'
import { inspect } from './page/names.ts'

const browsers = definePort<ScriptBrowsers>({ name: 'live', description: 'live browsers', remedy: 'Add them.' })
const { signal } = new AbortController()

function recordingsOf() {
  const clock = { now: () => 0, sleep: async () => undefined }
  return openScripts({ clock } as unknown as FeatureKit, browsers).recordings
}

/** A live browser with one page, and its open connections. It refuses the commands in `refused`. */
function browserOf(id: string, refused: readonly string[] = []) {
  const open = new Set<Wire>()
  const resultOf = (method: string, expression?: string): object => {
    if (method === 'Target.getTargets') return { targetInfos: [{ targetId: 'T1', type: 'page' }] }
    if (method === 'Target.attachToTarget') return { sessionId: 'S1' }
    if (method === 'Page.getFrameTree') return { frameTree: { frame: { id: 'F1' } } }
    if (method === 'Page.createIsolatedWorld') return { executionContextId: 1 }
    return { result: { value: expression === inspect('page') ? { url: 'https://shop.test/' } : true } }
  }
  const connect = async (): Promise<Wire> => {
    const wire: Wire = {
      ...{ onMessage: undefined, onClose: undefined },
      send: (text) => {
        const { id, method, params } = JSON.parse(text) as {
          id: number
          method: string
          params: { expression?: string }
        }
        const answer = refused.includes(method)
          ? { error: { message: 'No.' } }
          : { result: resultOf(method, params.expression) }
        queueMicrotask(() => wire.onMessage?.(JSON.stringify({ id, ...answer })))
      },
      close: () => void open.delete(wire),
    }
    open.add(wire)
    return wire
  }
  const session = { id, closed: signal, connect, watchSecrets: () => () => undefined } as unknown as ScriptBrowser
  return { session, open }
}

test('a recording that cannot start closes its connection to the browser', async () => {
  const { session, open } = browserOf('one', ['Runtime.addBinding'])
  await expect(recordingsOf().begin(session, signal)).rejects.toMatchObject({ code: 'action_failed' })
  expect(open.size).toBe(0)
})

test('a running recording can be restarted when as many run as are allowed, and no other can be started', async () => {
  const recordings = recordingsOf()
  const all = Array.from({ length: 100 }, (_, at) => browserOf(String(at)))
  for (const { session } of all) await recordings.begin(session, signal)
  await expect(recordings.begin(browserOf('more').session, signal)).rejects.toMatchObject({ code: 'conflict' })
  await recordings.begin(all[0]!.session, signal)
  expect(all.map(({ open }) => open.size)).toEqual(all.map(() => 1))
})

test('recordings of one live browser that start at the same time leave one connection open', async () => {
  const recordings = recordingsOf()
  const { session, open } = browserOf('one')
  const results = await Promise.allSettled([recordings.begin(session, signal), recordings.begin(session, signal)])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(open.size).toBe(1)
  await recordings.begin(session, signal)
  expect(open.size).toBe(1)
})

test('a recording of a live browser that was stopped meanwhile closes its connection', async () => {
  const { session, open } = browserOf('one')
  await recordingsOf().begin({ ...session, closed: AbortSignal.abort() }, signal)
  expect(open.size).toBe(0)
})
