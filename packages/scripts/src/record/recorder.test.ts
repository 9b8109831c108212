import { expect, test } from 'vitest'

import type { LivePage } from '../page/live-page.ts'
import { digest, seen } from '../page/seen.fake.ts'
import { tellName } from './ears.ts'
import { listenTo } from './recorder.ts'

const { signal } = new AbortController()
const clock = { now: () => 0, sleep: async () => undefined }

/** A page that is left otherwise at each look, and in the end as the last one says. */
function pageOf(outcomes: readonly object[]) {
  const left = [...outcomes]
  let tell: Parameters<LivePage['listen']>[0] = () => undefined
  const page: LivePage = {
    see: async (expression, schema) => {
      if (expression.includes('ears.outcome')) return schema.parse(left.length > 1 ? left.shift() : left[0])
      return schema.parse(expression === 'eyes.page()' ? { url: 'https://shop.test/' } : true)
    },
    send: async () => ({}),
    listen: (listener) => void (tell = listener),
    [Symbol.asyncDispose]: async () => undefined,
  }
  const click = { type: 'click', id: '1', target: { ...seen(), place: { index: 0, of: 1 } }, page: digest() }
  const act = () => tell('Runtime.bindingCalled', { name: tellName, payload: JSON.stringify(click) })
  return { page, act }
}

test('what the last act brought about is read when the page has come to rest', async () => {
  const after = (isGone: boolean) => ({ after: { id: '1', isGone }, page: digest() })
  const { page, act } = pageOf([after(true), after(true), after(false)])
  await using recorder = await listenTo(page, clock, signal)
  act()
  expect((await recorder.heard(signal)).acts).toMatchObject([{ type: 'click', after: { isGone: false } }])
})
