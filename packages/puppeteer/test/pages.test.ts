// @module-tag browser
import type { Browser, Tab } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { waitForSheets } from '../src/page-scripts.ts'
import { pages } from './pages.ts'
import { serve, type Served } from './servers.ts'
import { inTab, soon, startBrowser } from './setup.ts'

let site: Served
let browser: Browser

beforeAll(async () => {
  site = await serve(pages)
  browser = startBrowser({ tabs: 8 })
})

afterAll(async () => {
  await browser.close()
  await site.close()
})

const at = (path: string, host = 'site.test'): URL => new URL(`http://${host}:${site.port}${path}`)

/** Visits a page and gives its document. */
/** Returns the tags of a page's hidden elements, whose body has these boxes. */
async function hiddenTags(tab: Tab, boxes: readonly string[]): Promise<string[]> {
  await tab.evaluate(`document.body.innerHTML = ${JSON.stringify(boxes.join(''))}`, soon())
  const { html = '', hidden = [] } = (await tab.read?.(soon())) ?? {}
  return hidden.map(([at]) => html.slice(html.lastIndexOf('<', at - 1), at))
}

async function visit(path: string, more: Parameters<typeof inTab>[1] = {}): Promise<string> {
  return inTab(browser, more, async (tab) => {
    await tab.goto(at(path), soon())
    return tab.html()
  })
}

describe('a page is taken when it is quiet', () => {
  test('after its scripts have brought what they were waiting for, and what that brought', async () => {
    const html = await visit('/scripted')
    expect(html).toContain('first came late')
    expect(html).toContain('second came late')
  })

  test('later when it says that it is still loading', async () => {
    const html = await visit('/loads')
    expect(html).toContain('Came after a timer')
    expect(html).not.toContain('Wird geladen')
  })

  test('without waiting for streams, pictures and answers that never come', { tags: ['long'] }, async () => {
    expect(await visit('/streams')).toContain('Streams')
  })

  test('although it never stops growing', { tags: ['long'] }, async () => {
    expect(await visit('/growing')).toContain('Growing')
  })

  test('and says why', async () => {
    const readinessOf = (path: string): Promise<string | undefined> =>
      inTab(browser, {}, async (tab) => (await tab.goto(at(path), soon(), { patience: 300 })).readiness)
    expect(await readinessOf('/plain')).toBe('It has no scripts or frames that could change it.')
    expect(await readinessOf('/scripted')).toMatch(/^Nothing was added for \d+ ms, and no running request/)
    expect(await readinessOf('/always-loading')).toMatch(/^It still looked unfinished after \d+ ms\.$/)
  })

  test('with a part that stays empty, after a moment and without a warning', async () => {
    await inTab(browser, {}, async (tab) => {
      const { readiness } = await tab.goto(at('/always-busy'), soon(), { patience: 60_000 })
      expect(readiness).toMatch(/^A part of it was still empty after \d+ ms\.$/)
      expect(await tab.html()).toContain('Many words')
      expect(tab.warnings?.()).toEqual([])
    })
  })

  test('where it has gone on to by itself', async () => {
    await inTab(browser, {}, async (tab) => {
      const landing = await tab.goto(at('/goes-on'), soon())
      expect(landing).toMatchObject({ status: 200, url: at('/plain').href })
      expect(landing.latency).toBeGreaterThan(0)
      expect(await tab.html()).toContain('Plain')
    })
  })

  test(
    'never when its script never ends: the signal ends the wait, and other pages go on',
    { tags: ['long'] },
    async () => {
      await inTab(browser, {}, async (tab) => {
        await expect(tab.goto(at('/spinning'), AbortSignal.timeout(1_500))).rejects.toThrow(/timeout/i)
        expect(await visit('/plain')).toContain('Plain')
      })
    },
  )
})

describe('the document holds what is seen', () => {
  test('what frames show is in their srcdoc, of the same site, of others, and of frames in frames', async () => {
    const html = await visit('/frames')
    const same = /id="same"[^>]*srcdoc="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(same).toContain('Inner &quot;same&quot; &amp;amp; more')
    const other = /id="other"[^>]*srcdoc="([^"]*)"/.exec(html)?.[1] ?? ''
    expect(other).toContain('Inner &quot;other&quot;')
    expect(other).toContain('third')
    expect(html).toContain('written in place')
    expect(html).not.toMatch(/data-[0-9a-f]{16}/)
  })

  test('also where frames have processes of their own', { tags: ['long', 'full-browser'] }, async () => {
    const full = startBrowser({ prefer: 'full' })
    try {
      await inTab(full, {}, async (tab) => {
        await tab.goto(at('/frames'), soon())
        const html = await tab.html()
        for (const which of ['same', 'other', 'third']) expect(html).toContain(which)
        expect(html).toContain('Inner &quot;other&quot;')
        await tab.click('.other-field', { all: false }, soon())
        await tab.type('far away', soon())
        await tab.click('.other-send', { all: false }, soon())
        expect(await tab.html()).toContain('sent far away other')
      })
    } finally {
      await full.close()
    }
  })

  test('what open shadow roots show is where it is seen', async () => {
    const html = await visit('/shadow')
    expect(html).toMatch(/<x-outer><h2>shadow title<\/h2><span>light words<\/span>fallback words<x-inner><p>deep words/)
  })

  test('a page that has neither is given as it is', async () => {
    expect(await visit('/plain')).toBe(
      '<!DOCTYPE html><html><head><title>Plain</title></head><body><h1>Plain</h1></body></html>',
    )
  })

  test('reading with hidden elements gives the same HTML as reading without, and as the page itself', async () => {
    await inTab(browser, {}, async (tab) => {
      // A frame without an address shows nothing, so its text stays as it is.
      await tab.goto(at('/verbatim'), soon())
      const { html, hidden } = (await tab.read?.(soon())) ?? {}
      expect(hidden?.length).toBeGreaterThan(1)
      expect(html).toBe(`<!DOCTYPE html>${String(await tab.evaluate('document.documentElement.outerHTML', soon()))}`)
      expect(html).toBe(await tab.html())
      expect(html).toContain('<noscript><IMG SRC=\'/lazy.png\' alt="a &amp; b">&lt;</noscript>')
    })
  })

  test('the text of noscript is as it was written, also in frames', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/lazy-frame'), soon())
      const { html = '', hidden } = (await tab.read?.(soon())) ?? {}
      expect(hidden).toHaveLength(1)
      expect(html).toContain('<noscript><img src="/outer.png"></noscript>')
      const inFrame = html
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&quot;', '"')
        .replaceAll('&amp;', '&')
      expect(inFrame).toContain('<noscript><IMG SRC=\'/lazy.png\' alt="a &amp; b">&lt;</noscript>')
      expect(html).toBe(await tab.html())
    })
  })

  test('images that are not loaded, and boxes without a height because of them, do not count as hidden', async () => {
    await inTab(browser, { pictures: false }, async (tab) => {
      await tab.goto(at('/plain'), soon())
      const boxes = [
        '<img src="/1.png">',
        '<img src="/2.png" width="300">',
        '<figure style="overflow: hidden"><img src="/3.png" style="width: 100%; height: 100%"></figure>',
        '<div style="overflow: hidden"><img src="/4.png" style="position: relative"></div>',
        '<img class="hidden" src="/5.png" width="1" height="1">',
        '<div class="hidden" style="overflow: hidden; height: 0"><img src="/6.png" width="300"></div>',
        '<figure style="overflow: hidden"><img src="/7.png" alt="A zebra" style="width: 100%; height: 100%"></figure>',
      ]
      expect((await hiddenTags(tab, boxes)).map((tag) => /class="hidden"/.test(tag))).toEqual([true, true])
    })
  })

  test('an inline box whose content is not to be rendered is shown', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/plain'), soon())
      expect(await hiddenTags(tab, ['<p>A <span style="content-visibility: hidden">zebra</span>'])).toEqual([])
    })
  })

  const away = 'style="overflow: hidden; height: 0%"'
  const flex = 'style="display: flex; flex-direction: column; height: 0"'
  test.each([
    ['no height, as a share', `<div style="height: 50px"><div class="hidden" ${away}>zebra <img></div></div>`],
    ['a missing image', `<div style="height: 50px"><div class="hidden" ${away}>zebra <img src="/404.png"></div></div>`],
    [
      'an image that is not rendered',
      `<div style="height: 50px"><div class="hidden" ${away}>zebra <img hidden></div></div>`,
    ],
    [
      'a computed height',
      '<div style="height: 50px"><div class="hidden" style="overflow: hidden; height: calc(0% + 0px)">zebra <img></div></div>',
    ],
    ['no width', '<div class="hidden" style="overflow: hidden; width: 0%">zebra <img></div>'],
    [
      'no room in a flexible box',
      `<div ${flex}><div class="hidden" style="overflow: hidden; flex: 1 1 0; min-height: 0">zebra <img></div></div>`,
    ],
    [
      'no room for the description of an image',
      `<div ${flex}><div class="hidden" style="overflow: hidden; flex: 1 1 0; min-height: 0"><img alt="zebra"></div></div>`,
    ],
    [
      'a row of a grid without height',
      '<div style="display: grid; grid-template-rows: 0px"><div class="hidden" style="overflow: hidden; min-height: 0">zebra <img></div></div>',
    ],
    ['a size without content', '<div class="hidden" style="overflow: hidden; contain: size">zebra <img></div>'],
    [
      'a place above the page',
      '<div class="hidden" style="overflow: hidden; position: absolute; top: 0; bottom: 100%">zebra <img></div>',
    ],
    ['lines without height', '<div class="hidden" style="overflow: hidden; line-height: 0">zebra <img hidden></div>'],
    [
      'an image without height',
      '<div style="height: 50px"><img class="hidden" alt="zebra" src="/404.png" style="display: block; width: 100px; height: 0%"></div>',
    ],
    [
      'content that is not rendered',
      '<div class="hidden" style="content-visibility: hidden; overflow: hidden; height: 50px; width: 200px">zebra</div>',
    ],
    [
      'content that is not rendered, and may leave its box',
      '<div class="hidden" style="content-visibility: hidden">zebra</div>',
    ],
  ])('text is hidden by %s', async (_, box) => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/plain'), soon())
      expect((await hiddenTags(tab, [box])).some((tag) => /class="hidden"/.test(tag))).toBe(true)
    })
  })

  test('style sheets that are refused or of another language are not waited for', { tags: ['long'] }, async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/plain'), soon())
      const requests = `for (let i = 0; i < 25; i++)
        await Promise.all(Array.from({ length: 10 }, (_, j) => fetch('/data.json?' + i + j).then((each) => each.text())))`
      const refused = `const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: '/style.css', integrity: 'sha256-AAAA' })
        await new Promise((resolve) => { link.onerror = resolve; document.head.append(link) })`
      const ofAnotherLanguage = `document.head.insertAdjacentHTML('beforeend', '<link rel="stylesheet" type="text/less" href="/style.less">')`
      const wait = `(${waitForSheets})(2_000_000_000)`
      await tab.evaluate(
        `(async () => { ${ofAnotherLanguage}; await ${wait}; ${requests}; ${refused}; await ${wait} })()`,
        soon(),
      )
      expect(await tab.evaluate('document.querySelector("link[integrity]").sheet', soon())).toBeNull()
    })
  })

  test('reading changes nothing in the page', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/frames'), soon())
      await tab.evaluate(
        'window.changes = 0; new MutationObserver(() => changes++).observe(document, { subtree: true, childList: true, attributes: true }); 0',
        soon(),
      )
      await tab.html()
      expect(await tab.evaluate('window.changes', soon())).toBe(0)
    })
  })
})

describe('nothing in a page can hold it up', () => {
  test('dialogs are closed without agreeing, and leaving is not prevented', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/dialogs'), soon())
      expect(await tab.html()).toContain('after all dialogs')
      expect(await tab.evaluate('answers', soon())).toEqual([false, null])
      await tab.goto(at('/plain'), soon())
      expect(await tab.html()).toContain('Plain')
      expect(tab.warnings?.()).toEqual(['The page opened dialogs; they were closed without agreeing.'])
    })
  })

  test('permissions are denied, and no file is chosen', async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(new URL(`http://localhost:${site.port}/asks`), soon())
      await tab.click('#go', { all: false }, soon())
      await tab.waitFor('#asked', soon())
      expect(await tab.html()).toMatch(
        /id="asked">(?:denied|default) (?:NotAllowedError|NotFoundError|NotSupportedError)/,
      )
    })
  })

  test('of many windows a few are let, and none stays', { tags: ['long'] }, async () => {
    await inTab(browser, {}, async (tab) => {
      await tab.goto(at('/popups'), soon())
      expect(await tab.html()).toContain('Popups')
      expect(tab.warnings?.().join()).toContain('windows of its own')
    })
    expect(site.seen.filter((line) => line.startsWith('GET /popup?')).length).toBeLessThanOrEqual(5)
  })

  test('a page that asks for a name and a word is taken as it is without', async () => {
    await inTab(browser, {}, async (tab) => {
      expect((await tab.goto(at('/locked'), soon())).status).toBe(401)
      expect(await tab.html()).toContain('Locked')
    })
    await inTab(browser, {}, async (tab) => {
      await tab.goto(new URL(`http://user:word@site.test:${site.port}/locked`), soon())
      expect(await tab.html()).toContain('Inside')
    })
  })

  test('service workers are passed by', async () => {
    await inTab(browser, {}, async (tab) => {
      const address = new URL(`http://localhost:${site.port}/registers`)
      await tab.goto(address, soon())
      await tab.goto(address, soon())
      expect(await tab.html()).toContain('From the network')
    })
  })
})

test('a notice that comes after the page had settled is answered before the page is read', async () => {
  await inTab(browser, { blockAds: true }, async (tab) => {
    await tab.goto(at('/late-notice'), soon())
    await tab.waitFor('[role="button"]', soon())
    expect(await tab.html()).toContain('data-choice="1"')
    expect(await tab.evaluate('document.body.innerText', soon())).not.toContain('Cookies')
    expect(tab.warnings?.()).toEqual(['A cookie notice was answered and closed.'])
  })
})

describe('files', () => {
  const take = (path: string, more: Parameters<typeof inTab>[1] = {}): ReturnType<Tab['goto']> =>
    inTab(browser, more, (tab) => tab.goto(at(path), soon()))

  test('are given as they are where a page was expected', async () => {
    const landing = await take('/file.pdf')
    expect(new TextDecoder().decode(landing.download)).toBe('%PDF-1.4 not really')
    expect(landing).toMatchObject({ status: 200, url: at('/file.pdf').href })
    expect(Object.fromEntries(landing.headers)['content-type']).toBe('application/pdf')
    expect(new TextDecoder().decode((await take('/attached')).download)).toBe('<h1>Saved</h1>')
  })

  test('that are text are shown to whoever looks, and given to whoever does not', async () => {
    expect((await take('/data.json', { pictures: true })).download).toBeUndefined()
    expect(new TextDecoder().decode((await take('/data.json', { pictures: false })).download)).toBe('{"a":1}')
    expect((await take('/data.json', { pictures: false, showsFiles: true })).download).toBeUndefined()
  })

  test('that are too large are refused before they have all come', async () => {
    await expect(take('/endless.bin', { maxBytes: 1_000_000 })).rejects.toMatchObject({ code: 'response_too_large' })
  })

  test('that a page saves by itself are refused, and the page stays', async () => {
    expect(await visit('/saves')).toContain('Saves')
  })

  test('an answer without content is a landing without a page', async () => {
    await inTab(browser, {}, async (tab) => {
      expect(await tab.goto(at('/nothing'), soon())).toMatchObject({ status: 204 })
      expect(await tab.leaves?.(0, soon())).toBeUndefined()
    })
  })
})
