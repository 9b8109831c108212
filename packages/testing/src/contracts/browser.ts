import assert from 'node:assert/strict'

import type { Browser, BrowserProfile, MakeBrowser, Tab } from '@harvestman/ports'

import type { Contract } from '../contract.ts'
import type { FakePages, FakeScripts } from '../fakes/fake-page.ts'
import { fakeGuard } from '../fakes/fake-guard.ts'
import { startSite, type Site } from '../site/site.ts'
import { contractPages, contractRoutes, contractScripts } from './browser-pages.ts'
import { reasonOf } from './until.ts'

/**
 * Creates a `MakeBrowser`. A real browser visits the site that the contract starts on localhost; only a fake one needs the
 * pages and the results of scripts.
 */
export type MakeBrowserMaker = (given: {
  readonly pages: FakePages
  readonly scripts: FakeScripts
}) => MakeBrowser | Promise<MakeBrowser>

interface Bench {
  readonly browser: Browser
  readonly site: Site
  at(path: string): URL
  open(profile?: Partial<BrowserProfile>): Promise<Tab>
}

const profile: BrowserProfile = { headers: {}, mobile: false, blockAds: false, skipTlsVerification: false }
const reason = new Error('no more')
// A loopback IP too, so that a browser that ignores the guard reaches no other host.
const refusedHost = '127.0.0.9'

function rule(name: string, check: (bench: Bench) => Promise<void>) {
  const run = async (maker: MakeBrowserMaker) => {
    const site = await startSite({ routes: contractRoutes })
    const make = await maker({ pages: contractPages, scripts: contractScripts })
    const browser = make(fakeGuard({ refuse: ['/refused', refusedHost] }))
    const open = (more: Partial<BrowserProfile> = {}) => browser.open({ ...profile, ...more }, never())
    try {
      await check({ browser, site, open, at: (path) => new URL(path, site.url) })
    } finally {
      await browser.close()
      await site.close()
    }
  }
  return { name, run }
}

function tabRule(name: string, path: string, check: (tab: Tab, bench: Bench) => Promise<void>) {
  return rule(name, async (bench) => {
    const tab = await bench.open()
    await tab.goto(bench.at(path), never())
    await check(tab, bench)
    await tab.close()
  })
}

/** The contract of the `Browser` port. */
export const browserContract: Contract<MakeBrowserMaker> = [
  rule('two open tabs share no cookies and no storage', async ({ open, at }) => {
    const [one, other] = [await open(), await open()]
    await one.goto(at('/cookie/give'), never())
    await one.evaluate('localStorage.setItem("kept", "yes")', never())
    await one.goto(at('/cookie/tell'), never())
    assert.ok((await one.html()).includes('Cookie: known.'))
    await other.goto(at('/cookie/tell'), never())
    assert.ok((await other.html()).includes('Cookie: none.'))
    assert.equal(await other.evaluate('localStorage.getItem("kept")', never()), null)
    assert.equal(await one.evaluate('localStorage.getItem("kept")', never()), 'yes')
  }),
  rule('a tab that is opened after another was closed finds nothing of it', async ({ open, at }) => {
    const before = await open()
    await before.goto(at('/cookie/give'), never())
    await before.close()
    const after = await open()
    await after.goto(at('/cookie/tell'), never())
    assert.ok((await after.html()).includes('Cookie: none.'))
  }),
  rule('tabs of two groups share no cookies, and those of one may', async ({ open, at }) => {
    const before = await open({ group: 'one' })
    await before.goto(at('/cookie/give'), never())
    await before.close()
    for (const other of [{ group: 'other' }, {}, { group: 'one', headers: { 'x-profile': 'another' } }]) {
      const after = await open(other)
      await after.goto(at('/cookie/tell'), never())
      assert.ok((await after.html()).includes('Cookie: none.'))
      await after.close()
    }
  }),
  rule(
    'a tab of a group goes where it is sent, and ends as it is closed, whatever group had it before',
    async (bench) => {
      const { open, at } = bench
      const before = await open({ group: 'one' })
      await before.goto(at('/form'), never())
      await before.close()
      const after = await open({ group: 'one' })
      assert.equal((await after.goto(at('/plain'), never())).url, at('/plain').href)
      assert.ok((await after.html()).includes('A plain page'))
      await assert.rejects(before.html())
      await assert.rejects(before.goto(at('/form'), never()))
      assert.equal(await after.url(), at('/plain').href)
    },
  ),
  rule('the headers of the profile are sent, by this tab only', async ({ open, at }) => {
    const [one, other] = [await open({ headers: { 'x-profile': 'mine' } }), await open()]
    await one.goto(at('/header/tell'), never())
    await other.goto(at('/header/tell'), never())
    assert.ok((await one.html()).includes('Header: mine.'))
    assert.ok((await other.html()).includes('Header: none.'))
  }),
  rule('opening rejects with the reason when its signal is aborted already', async ({ browser }) => {
    assert.equal(await reasonOf(browser.open(profile, AbortSignal.abort(reason))), reason)
  }),
  rule('closing the browser closes its tabs, and opening rejects then', async ({ browser, open, at }) => {
    const tab = await open()
    await tab.goto(at('/plain'), never())
    await browser.close()
    await assert.rejects(tab.html())
    await assert.rejects(open())
    await browser.close()
  }),
]

const visits: Contract<MakeBrowserMaker> = [
  rule('a visit lands: with the address, the status, the headers and the page', async ({ open, at }) => {
    const tab = await open()
    const landing = await tab.goto(at('/plain'), never())
    assert.equal(landing.url, at('/plain').href)
    assert.equal(landing.status, 200)
    assert.equal(await tab.url(), at('/plain').href)
    const html = await tab.html()
    assert.ok(html.includes('A plain page') && html.includes('Grüße, 日本語'))
  }),
  rule('a page with a bad status lands too', async ({ open, at }) => {
    const tab = await open()
    assert.equal((await tab.goto(at('/missing'), never())).status, 404)
    assert.ok((await tab.html()).includes('It is not here'))
  }),
  rule(
    'a document that replaces the one of the landing lands too, and one that stays does not',
    async ({ open, at }) => {
      const tab = await open()
      if (!tab.leaves) return
      await tab.goto(at('/links'), never())
      assert.equal(await tab.leaves(0, never()), undefined)
      await tab.click('#go', { all: false }, never())
      const landing = await tab.leaves(60_000, never())
      assert.equal(landing?.url, at('/plain').href)
      assert.equal(landing?.status, 200)
      assert.ok((await tab.html()).includes('A plain page'))
      assert.equal(await tab.leaves(0, never()), undefined)
    },
  ),
  rule('redirects are followed, and the landing is their end', async ({ open, at }) => {
    const tab = await open()
    const landing = await tab.goto(at('/moved'), never())
    assert.equal(landing.url, at('/plain').href)
    assert.equal(landing.status, 200)
  }),
  rule('what the guard refuses is not visited, also behind a redirect', async ({ open, at, site }) => {
    for (const path of ['/refused', '/to-refused']) {
      const tab = await open()
      await assert.rejects(tab.goto(at(path), never()))
      await tab.close()
    }
    assert.equal(site.hits('/refused'), 0)
  }),
  rule(
    'where the page may not go is asked before each redirect, and nothing is sent there',
    async ({ open, at, site }) => {
      const mayVisit = async ({ pathname }: URL): Promise<void> => {
        if (pathname === '/moved/again') throw reason
      }
      const tab = await open({ mayVisit })
      await assert.rejects(tab.goto(at('/moved'), never()))
      assert.equal(site.hits('/moved/again'), 0)
      await tab.close()
    },
  ),
  rule('parts of a page that the guard refuses are not fetched', async ({ open, at, site }) => {
    const tab = await open()
    await tab.goto(at('/with-refused'), never())
    await tab.waitFor('#there', never())
    await tab.html()
    assert.equal(site.hits('/refused.png') + site.hits('/refused.js'), 0)
  }),
  rule('an address that is written as the host and refused is not visited', async ({ open, site }) => {
    const tab = await open()
    const url = new URL(`http://${refusedHost}:${new URL(site.url).port}/plain`)
    await assert.rejects(tab.goto(url, never()))
  }),
  rule('a visit whose connection breaks rejects', async ({ open, at }) => {
    const tab = await open()
    await assert.rejects(tab.goto(at('/broken'), never()))
  }),
  rule('a visit rejects with the reason when its signal is aborted, and the tab can go on', async (bench) => {
    const { open, at } = bench
    const tab = await open()
    const controller = new AbortController()
    const visited = reasonOf(tab.goto(at('/silent'), controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 50))
    controller.abort(reason)
    assert.equal(await visited, reason)
    await tab.goto(at('/plain'), never())
    assert.ok((await tab.html()).includes('A plain page'))
  }),
]

const deeds: Contract<MakeBrowserMaker> = [
  tabRule('waiting for an element that is there ends', '/plain', (tab) => tab.waitFor('#there', never())),
  tabRule(
    'reading gives the same HTML, and where the start tags of hidden elements end',
    '/partly-hidden',
    async (tab) => {
      if (!tab.read) return
      const { html, hidden } = await tab.read(never())
      assert.equal(html, await tab.html())
      // Absent if the browser cannot determine it.
      if (hidden === undefined) return
      const ends = hidden.map(([end]) => end)
      assert.deepEqual(
        ends,
        [...new Set(ends)].toSorted((one, other) => one - other),
      )
      assert.deepEqual(new Set(ends.map((end) => html[end - 1])), new Set('>'))
      assert.deepEqual(
        ends.map((end) => html.slice(end).startsWith('Secret')),
        [true, true],
      )
    },
  ),
  tabRule('waiting for an element ends when it comes', '/late', async (tab) => {
    await tab.waitFor('#late', never())
    assert.ok((await tab.html()).includes('id="late"'))
  }),
  tabRule('waiting rejects with the reason when its signal is aborted', '/plain', async (tab) => {
    const controller = new AbortController()
    const waited = reasonOf(tab.waitFor('#never', controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(reason)
    assert.equal(await waited, reason)
  }),
  tabRule('a click acts on the first of the elements, or on all', '/form', async (tab) => {
    await tab.click('.item', { all: false }, never())
    await clicked(tab, 1)
    await tab.click('.item', { all: true }, never())
    await clicked(tab, 4)
  }),
  tabRule('a click on an element that is not there rejects', '/form', async (tab) => {
    await assert.rejects(tab.click('#nowhere', { all: false }, AbortSignal.timeout(5000)))
    await assert.rejects(tab.click('#nowhere', { all: true }, AbortSignal.timeout(5000)))
  }),
  tabRule('a click on a link goes where it leads', '/links', async (tab, { at }) => {
    await tab.click('#go', { all: false }, never())
    await tab.waitFor('#there', never())
    assert.equal(await tab.url(), at('/plain').href)
  }),
  tabRule('what is typed goes into the element that was clicked', '/form', async (tab) => {
    await tab.click('#name', { all: false }, never())
    await tab.type('Grüße 日本', never())
    assert.equal(await tab.evaluate('document.querySelector("#name").value', never()), 'Grüße 日本')
  }),
  tabRule('a key is pressed by its name', '/form', async (tab) => {
    await tab.click('#name', { all: false }, never())
    await tab.press('ArrowDown', never())
    assert.equal(await tab.evaluate('document.body.dataset.key', never()), 'ArrowDown')
  }),
  tabRule('scrolling goes down and up', '/tall', async (tab) => {
    await tab.scroll('down', undefined, never())
    assert.equal(await tab.evaluate('window.scrollY > 0', never()), true)
    await tab.scroll('up', undefined, never())
    assert.equal(await tab.evaluate('window.scrollY > 0', never()), false)
    await assert.rejects(tab.scroll('down', '#nowhere', AbortSignal.timeout(5000)))
  }),
  tabRule('a script gives its value, also a promised one', '/plain', async (tab) => {
    assert.equal(await tab.evaluate('1 + 1', never()), 2)
    assert.equal(await tab.evaluate('document.title', never()), 'Plain')
    assert.deepEqual(await tab.evaluate('({ list: [1, "ü", null], yes: true })', never()), {
      list: [1, 'ü', null],
      yes: true,
    })
    assert.equal(await tab.evaluate('Promise.resolve("later")', never()), 'later')
  }),
  tabRule('a script that throws rejects', '/plain', async (tab) => {
    await assert.rejects(tab.evaluate('(() => { throw new Error("no") })()', never()), /no/)
  }),
  tabRule('a script that does not end rejects with the reason when its signal is aborted', '/plain', async (tab) => {
    const controller = new AbortController()
    const evaluated = reasonOf(tab.evaluate('new Promise(() => {})', controller.signal))
    await new Promise((resolve) => setTimeout(resolve, 20))
    controller.abort(reason)
    assert.equal(await evaluated, reason)
    assert.equal(await tab.evaluate('1 + 1', never()), 2)
  }),
  tabRule('a screenshot is a PNG, or a JPEG when it has a quality', '/plain', async (tab) => {
    const png = await tab.screenshot({ fullPage: false }, never())
    assert.deepEqual([...png.slice(1, 4)], [...Buffer.from('PNG')])
    assert.deepEqual([...(await tab.screenshot({ fullPage: true }, never())).slice(1, 4)], [...Buffer.from('PNG')])
    const jpeg = await tab.screenshot({ fullPage: false, quality: 50 }, never())
    assert.deepEqual([...jpeg.slice(0, 3)], [0xff, 0xd8, 0xff])
  }),
  tabRule('a PDF is a PDF', '/plain', async (tab) => {
    const pdf = await tab.pdf({ format: 'A4', landscape: false, scale: 1 }, never())
    assert.equal(Buffer.from(pdf.slice(0, 5)).toString('latin1'), '%PDF-')
  }),
  tabRule('every deed rejects with the reason when its signal is aborted already', '/form', async (tab) => {
    const aborted = AbortSignal.abort(reason)
    const deeds = [
      ...(tab.read ? [tab.read(aborted)] : []),
      tab.goto(new URL('http://127.0.0.1/'), aborted),
      tab.waitFor('#name', aborted),
      tab.evaluate('1 + 1', aborted),
      tab.type('text', aborted),
      tab.press('Enter', aborted),
      tab.click('#more', { all: false }, aborted),
      tab.scroll('down', undefined, aborted),
      tab.screenshot({ fullPage: false }, aborted),
      tab.pdf({ format: 'A4', landscape: false, scale: 1 }, aborted),
    ]
    assert.deepEqual(
      await Promise.all(deeds.map(reasonOf)),
      deeds.map(() => reason),
    )
    await clicked(tab, 0)
  }),
  tabRule('every call on a closed tab rejects, but closing again', '/form', async (tab) => {
    await tab.close()
    await assert.rejects(tab.html())
    await assert.rejects(tab.url())
    await assert.rejects(tab.evaluate('1 + 1', never()))
    await assert.rejects(tab.click('#more', { all: false }, never()))
    await tab.close()
  }),
  tabRule('closing a tab ends what waits in it', '/plain', async (tab) => {
    const waited = assert.rejects(tab.waitFor('#never', never()))
    await tab.close()
    await waited
  }),
]

/** The contract of the `Tab` port. */
export const tabContract: Contract<MakeBrowserMaker> = [...visits, ...deeds]

function never(): AbortSignal {
  return new AbortController().signal
}

async function clicked(tab: Tab, count: number): Promise<void> {
  assert.equal(await tab.evaluate('Number(document.body.dataset.clicks ?? 0)', never()), count)
}
