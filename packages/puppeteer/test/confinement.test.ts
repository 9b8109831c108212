// @module-tag browser
import { readFileSync, statSync } from 'node:fs'

import { beforeEach, expect, test, type TestContext } from 'vitest'

import { findFolders } from '../src/chromium/folder.ts'
import { listProcesses } from '../src/chromium/processes.ts'
import { findBrowser, whyUnconfined, type BrowserEvent } from '../src/index.ts'
import { inTab, startBrowser } from './setup.ts'

beforeEach(({ skip }) => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    skip('it shows what root does on Linux, and this is another user')
})

interface Seen {
  readonly users: readonly number[]
  readonly commands: readonly string[]
  readonly events: readonly BrowserEvent[]
  readonly profileMode: string
}

/** What can be seen of a browser from outside, while a page is open in it. */
async function look(sandbox?: boolean): Promise<Seen> {
  const events: BrowserEvent[] = []
  const browser = startBrowser({ ...(sandbox !== undefined && { sandbox }), onEvent: (event) => events.push(event) })
  try {
    return await inTab(browser, {}, async (tab) => {
      expect(await tab.evaluate('1 + 1', AbortSignal.timeout(20_000))).toBe(2)
      const pid = events.find(({ kind }) => kind === 'started')?.pid ?? 0
      const all = listProcesses(pid).filter(({ isZombie }) => !isZombie)
      const read = (name: string): string[] => all.map((one) => readFileSync(`/proc/${one.pid}/${name}`, 'utf8'))
      const folder = findFolders().find(({ marker }) => marker.browser?.pid === pid)?.path ?? ''
      return {
        users: read('status').map((text) => Number(/^Uid:\t(\d+)/m.exec(text)?.[1])),
        commands: read('cmdline'),
        events: [...events],
        profileMode:
          (statSync(folder).mode & 0o777).toString(8) + (statSync(`${folder}/profile`).mode & 0o777).toString(8),
      }
    })
  } finally {
    await browser.close()
  }
}

/** Some systems let no other user start the browser that there is. */
async function skipUnlessConfined({ skip }: TestContext): Promise<void> {
  const lacks = await whyUnconfined(findBrowser()?.executable ?? '')
  if (lacks !== undefined) skip(`this system does not let it: ${lacks}`)
}

test('a browser that root starts runs as another user, with its sandbox, and says nothing', async (context) => {
  await skipUnlessConfined(context)
  const { users, commands, events, profileMode } = await look()
  expect(users.length).toBeGreaterThan(2)
  expect(new Set(users).size).toBe(1)
  expect(users[0]).toBeGreaterThan(61_000)
  expect(commands.filter((line) => line.includes('--no-sandbox'))).toEqual([])
  expect(events.map(({ kind }) => kind)).not.toContain('unconfined')
  expect(profileMode).toBe('711700')
})

test('a browser that is to have no sandbox is no root either', { tags: ['long'] }, async (context) => {
  await skipUnlessConfined(context)
  const { users, commands } = await look(false)
  expect(Math.min(...users)).toBeGreaterThan(61_000)
  expect(commands.some((line) => line.includes('--no-sandbox'))).toBe(true)
})

test('a program that only root may start is known in advance', async () => {
  const ways = [
    { sandbox: true, user: { uid: 61_500, gid: 61_500 } },
    { sandbox: false, user: { uid: 61_500, gid: 61_500 }, lacks: 'sandbox' },
    { sandbox: false, user: undefined, lacks: 'all' },
  ]
  const timers = (): number => process.getActiveResourcesInfo().filter((one) => one === 'Timeout').length
  const before = timers()
  expect(await whyUnconfined('/root/nothing/chromium', ways)).toBe('all')
  // What was not started is not waited for.
  expect(timers()).toBeLessThanOrEqual(before)
})
