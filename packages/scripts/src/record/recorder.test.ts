import { expect, test, vi } from 'vitest'

import type { LivePage } from '../page/live-page.ts'
import { digest, seen } from '../page/seen.fake.ts'
import type { LiveTabs, TabsListener } from '../page/tabs.ts'
import { inspect, listenersName, reportName } from '../page/names.ts'
import { listenTo } from './recorder.ts'

const { signal } = new AbortController()
const clock = { now: () => 0, sleep: async () => undefined }

/** Tabs of which the first is left otherwise at each look, and in the end as the last one says. */
function tabsOf(outcomes: readonly object[]) {
  const left = [...outcomes]
  const first = fakePage('first', (expression) => {
    if (expression.includes(`${listenersName}.outcome`)) return left.length > 1 ? left.shift() : left[0]
    return expression === inspect('page') ? { url: 'https://shop.test/' } : true
  })
  let listener: TabsListener | undefined
  const open: LivePage[] = [first.page]
  const tabs: LiveTabs = {
    first: first.page,
    open,
    coming: new Set(),
    listen: (one) => void (listener = one),
    [Symbol.asyncDispose]: async () => undefined,
  }
  const opens = async (tab: string, url: string) => {
    const made = fakePage(tab, (expression) => (expression === inspect('page') ? { url } : true), first.page.tab)
    open.push(made.page)
    listener?.opened(made.page, Promise.resolve(made.page))
    await vi.waitFor(() => expect(made.isHeard()).toBe(true))
    const close = () => {
      open.splice(open.indexOf(made.page), 1)
      listener?.closed(tab)
    }
    return { ...made, close }
  }
  return { tabs, first, opens }
}

function fakePage(tab: string, answer: (expression: string) => unknown, opener?: string) {
  let tell: Parameters<LivePage['listen']>[0] | undefined
  const page: LivePage = {
    ...{ tab, opener, closed: signal },
    show: async () => undefined,
    see: async (expression, schema) => schema.parse(answer(expression)),
    send: async () => ({}),
    listen: (one) => void (tell = one),
  }
  const say = (told: object) => tell?.('Runtime.bindingCalled', { name: reportName, payload: JSON.stringify(told) })
  const goes = (url: string) => tell?.('Page.frameNavigated', { frame: { id: tab, url } })
  const click = (name: string, id = '1') =>
    say({ type: 'click', id, target: { ...seen({ name }), place: { index: 0, of: 1 } }, page: digest() })
  return { page, say, goes, click, isHeard: () => tell !== undefined }
}

test('what the last act brought about is read when the page has come to rest', async () => {
  const after = (isGone: boolean) => ({ after: { id: '1', isGone }, page: digest() })
  const { tabs, first } = tabsOf([after(true), after(true), after(false)])
  await using recorder = await listenTo(tabs, clock, signal)
  first.click('Send')
  expect((await recorder.heard(signal)).acts).toMatchObject([{ type: 'click', after: { isGone: false } }])
})

test('what is done in a tab that an act has opened is heard, and the act knows which tabs it opened and closed', async () => {
  const { tabs, first, opens } = tabsOf([{ page: digest({ texts: ['Later'] }) }])
  await using recorder = await listenTo(tabs, clock, signal)
  first.click('Open')
  const receipt = await opens('T2', 'about:blank')
  // The page that it was opened for is led to by the click.
  receipt.goes('https://shop.test/receipt')
  receipt.click('Close')
  receipt.close()
  first.click('Done')
  const { acts } = await recorder.heard(signal)
  expect(acts).toMatchObject([
    { target: { name: 'Open' }, opens: ['T2'] },
    { target: { name: 'Close' }, tab: 'T2', closes: ['T2'] },
    { target: { name: 'Done' }, next: { texts: ['Later'] } },
  ])
  // What another tab shows is not what an act has brought about.
  expect(acts.map(({ next }) => next !== undefined)).toEqual([false, false, true])
})

test('a tab that is closed by hand was closed by no act', async () => {
  const { tabs, first, opens } = tabsOf([{ page: digest() }])
  await using recorder = await listenTo(tabs, clock, signal)
  first.click('Open')
  const receipt = await opens('T2', 'https://shop.test/receipt')
  receipt.click('Print')
  receipt.say({ type: 'leaves' })
  receipt.close()
  expect((await recorder.heard(signal)).acts.map(({ closes }) => closes)).toEqual([undefined, undefined])
})
