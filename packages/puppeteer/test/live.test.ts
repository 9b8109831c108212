// @module-tag browser
import { getPriority } from 'node:os'

import type { Frame, LiveBrowser, LiveTab, Sessions } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { puppeteerBrowser, puppeteerSessions } from '../src/index.ts'
import { listProcesses } from '../src/chromium/processes.ts'
import { defaultLiveNice } from '../src/lib/options.ts'
import { serve, type Served } from './servers.ts'
import { localGuard } from './guard.ts'
import { profile, soon } from './setup.ts'

let site: Served
let sessions: Sessions

// A host that is busy draws rarely.
const patiently = { timeout: 60_000 }

const form = `<title>Form</title><h1>Order</h1>
  <form onsubmit="event.preventDefault(); document.title = 'Sent ' + [name.value, size.value].join(' ')">
    <label>Name <input id=name></label>
    <label>Size <select id=size><option>Small</option><option>Large</option></select></label>
    <button>Send</button></form><a href="/next">Next page</a>`

const moving = `<title>Still</title><button onclick="document.title = 'Clicked'">Go</button><script>
  document.addEventListener('mousedown', () => {
    document.body.insertAdjacentHTML('afterbegin', '<button style="display: block; height: 60px" onclick="document.title = 1">Other</button>')
  }, { once: true })
</script>`

const covered = `<title>Still</title><button onclick="document.title = 'Clicked'">Go</button>
  <div id="layer" onclick="document.title = 'Layer'" style="position: fixed; inset: 0"></div>`

const unseen = `<title>Unseen</title><p>Above</p>
  <div style="opacity: 0"><p>Outer</p><div style="opacity: 0"><p>Inner</p><x-host></x-host></div></div>
  <div style="color: #fff; background: #fff">White <b style="color: #000">Black</b></div>
  <p>Below</p><script>
    document.querySelector('x-host').attachShadow({ mode: 'open' }).innerHTML = '<p style="opacity: 0">Shadow</p>'
  </script>`

beforeAll(async () => {
  site = await serve({
    '/unseen': unseen,
    '/form': form,
    '/moving': moving,
    '/covered': covered,
    '/next': '<title>Next</title><p>Here',
    '/store': '<title>Store</title>',
  })
  sessions = puppeteerSessions({ nice: 0 })(localGuard())
})

afterAll(async () => {
  await sessions.close()
  await site.close()
})

const at = (path: string, host = 'site.test'): URL => new URL(`http://${host}:${site.port}${path}`)

async function inLive<T>(team: string, path: string, work: (live: LiveBrowser) => Promise<T>): Promise<T> {
  const live = await sessions.open({ team, profile }, soon())
  try {
    await live.tab.goto(at(path), soon())
    return await work(live)
  } finally {
    await live.close()
  }
}

function refOf(text: string, words: string): string {
  const line = text.split('\n').find((one) => one.includes(words)) ?? ''
  return /\[ref=(e\d+)\]/.exec(line)?.[1] ?? 'none'
}

describe('a snapshot', () => {
  test('shows the page as text, and its references lead to what they stand for', () =>
    inLive('one', '/form', async (live) => {
      const { text, title } = await live.snapshot(soon())
      expect(title).toBe('Form')
      expect(text).toContain('heading "Order" [level=1]')
      await live.act({ type: 'fill', ref: refOf(text, 'textbox "Name"'), text: 'Ann' }, soon())
      await live.act({ type: 'select', ref: refOf(text, 'combobox "Size"'), option: 'Large' }, soon())
      await live.act({ type: 'click', ref: refOf(text, 'button "Send"') }, soon())
      const after = await live.snapshot(soon())
      expect(after.title).toBe('Sent Ann Large')
      expect(after.text).toContain('value="Ann"')
    }))

  test(
    'is out of date once the page has gone on: its references are refused, and the page is left alone',
    { tags: ['long'] },
    () =>
      inLive('one', '/form', async (live) => {
        const { text } = await live.snapshot(soon())
        const button = refOf(text, 'button "Send"')
        await live.tab.goto(at('/next'), soon())
        await expect(live.act({ type: 'click', ref: button }, soon())).rejects.toMatchObject({ code: 'action_failed' })
        await expect(live.act({ type: 'click', ref: 'e999' }, soon())).rejects.toMatchObject({ code: 'action_failed' })
      }),
  )

  test('leads to an element that something pushes away as it is clicked', () =>
    inLive('one', '/moving', async (live) => {
      const { text } = await live.snapshot(soon())
      await live.act({ type: 'click', ref: refOf(text, 'button "Go"') }, soon())
      expect((await live.snapshot(soon())).title).toBe('Clicked')
    }))

  test('leads to no click on what covers an element', () =>
    inLive('one', '/covered', async (live) => {
      const { text } = await live.snapshot(soon())
      await expect(live.act({ type: 'click', ref: refOf(text, 'button "Go"') }, soon())).rejects.toMatchObject({
        code: 'action_failed',
        message: expect.stringContaining('div#layer'),
      })
      expect((await live.snapshot(soon())).title).toBe('Still')
    }))

  test('has no text that nobody can see, also in nested elements and shadow roots', () =>
    inLive('one', '/unseen', async (live) => {
      const { text } = await live.snapshot(soon())
      expect(text.match(/Above|Outer|Inner|Shadow|White|Black|Below/g)).toEqual(['Above', 'Black', 'Below'])
    }))

  test('lets a text be filled in on the page of its own origin alone', () =>
    inLive('one', '/form', async (live) => {
      const { text } = await live.snapshot(soon())
      const secret = { type: 'fill', ref: refOf(text, 'textbox'), text: 'secret' } as const
      await expect(live.act({ ...secret, onlyOn: 'https://bank.test' }, soon())).rejects.toMatchObject({
        code: 'action_failed',
      })
      expect((await live.snapshot(soon())).text).not.toContain('secret')
      await live.act({ ...secret, onlyOn: at('/').origin }, soon())
      expect((await live.snapshot(soon())).text).toContain('secret')
    }))
})

describe('a viewer', () => {
  test('sees frames, and what it clicks and types happens in the page', { tags: ['long'] }, () =>
    inLive('one', '/form', async (live) => {
      const frames: Frame[] = []
      let tabs: readonly LiveTab[] = []
      const screen = await live.watch({
        frame: async (frame) => void frames.push(frame),
        tabs: (all) => (tabs = all),
      })
      await expect.poll(() => frames.length).toBeGreaterThan(0)
      expect([...(frames[0]?.jpeg ?? []).slice(0, 2)]).toEqual([0xff, 0xd8])
      const box = (await live.tab.evaluate(
        '(() => { const b = document.querySelector("#name").getBoundingClientRect(); return [b.x + 5, b.y + 5] })()',
        soon(),
      )) as number[]
      const [x = 0, y = 0] = box
      await screen.input({ type: 'mouse', kind: 'down', x, y })
      await screen.input({ type: 'mouse', kind: 'up', x, y })
      for (const key of ['H', 'i']) await screen.input({ type: 'key', key })
      await screen.input({ type: 'paste', text: ' there' })
      await screen.input({ type: 'key', key: 'Enter' })
      await expect.poll(() => tabs[0]?.title).toBe('Sent Hi there Small')
      await screen.input({ type: 'goto', url: at('/next').href })
      await expect.poll(() => tabs[0]?.title).toBe('Next')
      await screen.input({ type: 'go', to: 'back' })
      await expect.poll(() => tabs[0]?.url).toBe(at('/form').href)
      await expect(screen.input({ type: 'goto', url: 'file:///etc/hostname' })).rejects.toMatchObject({
        code: 'action_failed',
      })
      screen.close()
    }),
  )

  test('that is slow is shown the newest frame, and those in between are left out', () =>
    inLive('one', '/form', async (live) => {
      const fast: Frame[] = []
      const slow: Frame[] = []
      const held = Promise.withResolvers<void>()
      const viewers = await Promise.all([
        live.watch({ frame: async (frame) => void fast.push(frame), tabs: () => undefined }),
        live.watch({
          frame: async (frame) => {
            slow.push(frame)
            await held.promise
          },
          tabs: () => undefined,
        }),
      ])
      await live.tab.evaluate(
        'setInterval(() => { document.body.style.background = "#" + String(100 + Math.floor(performance.now() % 800)) }, 20); 0',
        soon(),
      )
      await expect.poll(() => slow.length, patiently).toBe(1)
      const seen = fast.length
      await expect.poll(() => fast.length, patiently).toBeGreaterThan(seen + 4)
      expect(slow).toHaveLength(1)
      const newest = fast.at(-1)
      held.resolve()
      await expect.poll(() => slow.length, patiently).toBeGreaterThan(1)
      expect(slow[1]?.at).toBeGreaterThanOrEqual(newest?.at ?? Infinity)
      for (const viewer of viewers) viewer.close()
    }))
})

describe('pages that nothing is done with', () => {
  const moving = `<title>Moving</title><script>
    let frames = 0
    const go = () => { frames += 1; requestAnimationFrame(go) }
    requestAnimationFrame(go)</script>`
  let resting: Sessions
  let served: Served

  beforeAll(async () => {
    served = await serve({ '/moving': moving })
    resting = puppeteerSessions({ rest: 50 })(localGuard())
  })
  afterAll(async () => {
    await resting.close()
    await served.close()
  })

  /** What the page itself says of being seen; asking it by way of the first tab is no use of the session. */
  const look = (live: LiveBrowser): Promise<unknown> => live.tab.evaluate('document.visibilityState', soon())
  const drawn = (live: LiveBrowser): Promise<unknown> => live.tab.evaluate('[frames, frames = 0][0]', soon())
  const open = async (): Promise<LiveBrowser> => {
    const live = await resting.open({ team: 'rest', profile }, soon())
    await live.tab.goto(new URL(`http://site.test:${served.port}/moving`), soon())
    return live
  }

  test(
    'are hidden and draw nothing; every use shows them again, for as long as it takes',
    { tags: ['long'] },
    async () => {
      const live = await open()
      await expect.poll(() => look(live)).toBe('hidden')
      await drawn(live)
      expect(await drawn(live)).toBe(0)
      const done = await live.use()
      expect(await look(live)).toBe('visible')
      await expect.poll(() => drawn(live)).toBeGreaterThan(0)
      const other = await live.use()
      done()
      await new Promise((resolve) => setTimeout(resolve, 200))
      expect(await look(live)).toBe('visible')
      other()
      await expect.poll(() => look(live)).toBe('hidden')
      await live.close()
    },
  )

  test('are shown to viewers', { tags: ['long'] }, async () => {
    const live = await open()
    await expect.poll(() => look(live)).toBe('hidden')
    let frames = 0
    const screen = await live.watch({ frame: async () => void (frames += 1), tabs: () => undefined })
    expect(await look(live)).toBe('visible')
    await expect.poll(() => frames).toBeGreaterThan(0)
    screen.close()
    await expect.poll(() => look(live)).toBe('hidden')
    await live.close()
  })

  test(
    'are hidden beside a client that emulates their focus, and shown while it waits for an answer',
    { tags: ['long'] },
    async () => {
      const live = await open()
      const answers = new Map<number, (message: { result?: Readonly<Record<string, unknown>> }) => void>()
      const wire = await live.connect()
      wire.onMessage = (text) => {
        const message = JSON.parse(text) as { id?: number; result?: Readonly<Record<string, unknown>> }
        if (message.id !== undefined) answers.get(message.id)?.(message)
      }
      let last = 0
      const ask = (method: string, params: object = {}, sessionId?: string) =>
        new Promise<Readonly<Record<string, unknown>>>((resolve) => {
          answers.set(++last, ({ result = {} }) => resolve(result))
          wire.send(JSON.stringify({ id: last, method, params, sessionId }))
        })
      const { targetInfos } = await ask('Target.getTargets')
      const [target] = targetInfos as { targetId: string }[]
      const { sessionId } = await ask('Target.attachToTarget', { targetId: target?.targetId, flatten: true })
      const inPage = (method: string, params: object) => ask(method, params, String(sessionId))
      await inPage('Emulation.setFocusEmulationEnabled', { enabled: true })
      expect(await look(live)).toBe('visible')
      await expect.poll(() => look(live)).toBe('hidden')
      const expression = 'new Promise((resolve) => setTimeout(() => resolve(document.visibilityState), 300))'
      const { result } = await inPage('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })
      expect(result).toMatchObject({ value: 'visible' })
      await expect.poll(() => look(live)).toBe('hidden')
      wire.close()
      await live.close()
    },
  )

  test.skipIf(process.platform === 'win32')(
    'live browsers give way to browsers that scrape',
    { tags: ['long'] },
    async () => {
      const live = await open()
      const all = listProcesses().filter(({ isZombie }) => !isZombie)
      const groups = all.filter(({ parent, pid, group }) => parent === process.pid && pid === group)
      const priorities = groups.map(({ group }) =>
        all.filter((one) => one.group === group).map(({ pid }) => getPriority(pid)),
      )
      const lower = Math.min(getPriority() + defaultLiveNice, 19)
      expect(priorities.some((ones) => ones.length > 3 && ones.every((nice) => nice === lower))).toBe(true)
      await live.close()
    },
  )
})

test('what one session saved, cookies and storage, a later one starts with', { tags: ['long'] }, async () => {
  const leave = 'document.cookie = "who=me; max-age=999"; localStorage.kept = "yes"; 0'
  const find = 'document.cookie + " " + localStorage.kept'
  const state = await inLive('one', '/store', async (live) => {
    await live.tab.evaluate(leave, soon())
    return live.save(soon())
  })
  const later = await sessions.open({ team: 'one', profile, state }, soon())
  await later.tab.goto(at('/store'), soon())
  expect(await later.tab.evaluate(find, soon())).toBe('who=me yes')
  await later.close()
  expect(await inLive('one', '/store', (live) => live.tab.evaluate(find, soon()))).toBe(' undefined')
})

/** The first processes of the browsers that this one has started. */
function browsersHere(): number[] {
  const all = listProcesses().filter(({ isZombie }) => !isZombie)
  const first = all.filter(({ parent, pid, group }) => parent === process.pid && pid === group)
  return first.map(({ pid }) => pid).filter((pid) => all.filter(({ group }) => group === pid).length > 2)
}

describe('the browsers of sessions', () => {
  test(
    'are one for each, also of one team, and none that scrapes: the end of one leaves the others alone',
    { tags: ['long'] },
    async () => {
      const scraper = puppeteerBrowser()(localGuard())
      const tab = await scraper.open(profile, soon())
      const others = browsersHere()
      const one = await sessions.open({ team: 'red', profile }, soon())
      const own = browsersHere().filter((pid) => !others.includes(pid))
      const two = await sessions.open({ team: 'red', profile }, soon())
      expect(own).toHaveLength(1)
      expect(browsersHere()).toHaveLength(others.length + 2)
      await two.tab.goto(at('/form'), soon())
      process.kill(own[0] ?? 0, 'SIGKILL')
      await expect.poll(() => one.gone.aborted).toBe(true)
      expect(await two.tab.evaluate('1 + 1', soon())).toBe(2)
      await tab.goto(at('/next'), soon())
      await Promise.all([one.close(), two.close()])
      expect(browsersHere()).toEqual(others)
      await tab.close()
      await scraper.close()
    },
  )
})
