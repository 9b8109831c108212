// @module-tag browser
import type { Browser, BrowserProfile, Tab } from '@harvestman/ports'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

import { pages } from './pages.ts'
import { serve, type Served } from './servers.ts'
import { inTab, profile, soon, startBrowser } from './setup.ts'

let site: Served
let browser: Browser
const tabs = new Map<string, Promise<Tab>>()

beforeAll(async () => {
  site = await serve(pages)
  browser = startBrowser({ tabs: 8 })
})

afterAll(async () => {
  for (const tab of tabs.values()) await (await tab).close()
  await browser.close()
  await site.close()
})

const one = { all: false }
const every = { all: true }

/** Visits a page, and hands its tab on: one for each kind of browser, as what a page was is gone with it. */
async function on<T>(path: string, work: (tab: Tab) => Promise<T>, more: Partial<BrowserProfile> = {}): Promise<T> {
  const kind = JSON.stringify(more)
  const opened = tabs.get(kind) ?? browser.open({ ...profile, ...more }, soon())
  tabs.set(kind, opened)
  const tab = await opened
  await tab.goto(new URL(`http://site.test:${site.port}${path}`), soon())
  return work(tab)
}

const value = (tab: Tab, script: string): Promise<unknown> => tab.evaluate(script, soon())

describe('a click', () => {
  test('is one that the page trusts, and scrolls to what is far away', () =>
    on('/buttons', async (tab) => {
      await tab.click('#good', one, soon())
      await tab.click('#far', one, soon())
      expect(await value(tab, 'clicks')).toEqual(['good:true', 'far:true'])
    }))

  test('runs the handlers of a page without images, which is not painted', () =>
    on(
      '/buttons',
      async (tab) => {
        await tab.click('#good', one, soon())
        await tab.click('#far', one, soon())
        expect(await value(tab, 'clicks')).toEqual(['good:true', 'far:true'])
      },
      { pictures: false },
    ))

  test('waits a moment for a button that comes, and for one that is about to be enabled', () =>
    on('/buttons', async (tab) => {
      await tab.click('#later', one, soon())
      await tab.click('#soon', one, soon())
      expect(await value(tab, 'clicks')).toEqual(['later:true', 'soon:true'])
    }))

  const refused: Readonly<Record<string, RegExp>> = {
    '#none': /Nothing on the page matches "#none"/,
    '#hidden': /is not visible/,
    '#unseen': /is not visible/,
    '#disabled': /is disabled/,
    '#fieldset': /is disabled/,
    '#covered': /is covered by something else \(by div#cover\)/,
    '#closed': /Nothing on the page matches/,
    'a[': /not a CSS selector/,
  }
  for (const [selector, sentence] of Object.entries(refused)) {
    // Each waits for a moment, in a tab of its own.
    test.concurrent(`fails with a sentence where a person could not click: ${selector}`, () =>
      inTab(browser, {}, async (tab) => {
        await tab.goto(new URL(`http://site.test:${site.port}/buttons`), soon())
        const failure = await tab.click(selector, one, soon()).then(
          () => undefined,
          (error: unknown) => error,
        )
        expect(failure).toMatchObject({ code: 'action_failed', message: expect.stringMatching(sentence) })
      }))
  }

  test('on what goes away under it is a click all the same', () =>
    on('/buttons', async (tab) => {
      await tab.click('#dies', one, soon())
      expect(await value(tab, 'document.querySelector("#dies")')).toBeNull()
    }))

  test.each(['mousemove', 'mousedown'])(
    'reaches an element that something pushes away on %s, and nothing else on the page',
    (moment) =>
      on(`/moving?on=${moment}`, async (tab) => {
        await tab.click('#good', one, soon())
        expect(await value(tab, 'clicks')).toEqual(['good'])
      }),
  )

  test('that opens a layer as the button goes down is one click', () =>
    on('/moving', async (tab) => {
      await tab.click('#overlay', one, soon())
      expect(await value(tab, 'clicks')).toEqual(['body'])
    }))

  test('goes to a label, and to the box that it names', () =>
    on('/buttons', async (tab) => {
      await tab.click('label', one, soon())
      expect(await value(tab, 'tick.checked')).toBe(true)
    }))

  test('takes the first that can be seen of several, or all of them', () =>
    on('/buttons', async (tab) => {
      await tab.click('#hidden, #good', one, soon())
      await tab.click('#good, #far', every, soon())
      expect(await value(tab, 'clicks')).toEqual(['good:true', 'good:true', 'far:true'])
    }))

  test('on all of nothing is fine', () => on('/buttons', (tab) => tab.click('.none', every, soon())))

  test('that leads elsewhere ends when the page there is quiet', () =>
    on('/buttons', async (tab) => {
      await tab.click('#leads', one, soon())
      expect(await tab.html()).toContain('<h1>Plain</h1>')
      expect(await tab.url()).toMatch(/\/plain$/)
    }))

  test('in an application that changes its own view ends when the view has changed', () =>
    on('/spa', async (tab) => {
      await tab.click('#next', one, soon())
      expect(await tab.html()).toContain('Next view')
      expect(await tab.url()).toMatch(/\/spa\/next$/)
    }))

  test('reaches into frames of the same site and of others, and into open shadow roots', async () => {
    await on('/frames', async (tab) => {
      for (const which of ['same', 'other', 'third']) {
        await tab.click(`.${which}-field`, one, soon())
        await tab.type(`to ${which}`, soon())
        await tab.click(`.${which}-send`, one, soon())
      }
      const html = await tab.html()
      for (const which of ['same', 'other', 'third']) expect(html).toContain(`sent to ${which} ${which}`)
    })
    await on('/shadow', async (tab) => {
      await tab.click('#deep', one, soon())
      expect(await tab.html()).toContain('>pressed<')
    })
  })

  test('on a phone is a touch', () =>
    on(
      '/buttons',
      async (tab) => {
        // It moves what is below it when it comes.
        await tab.waitFor('#later', soon())
        await value(
          tab,
          'window.touches = 0; addEventListener("touchstart", ({ isTrusted }) => { touches += isTrusted }); 0',
        )
        await tab.click('#good', one, soon())
        expect(await value(tab, 'touches')).toBe(1)
        await expect.poll(() => value(tab, 'clicks')).toEqual(['good:true'])
      },
      { mobile: true },
    ))
})

describe('writing', () => {
  test('sends the events of a keyboard, key by key', () =>
    on('/field', async (tab) => {
      await tab.click('#field', one, soon())
      await tab.type('aB!', soon())
      expect(await value(tab, 'field.value')).toBe('aB!')
      const strokes = ['a', 'B', '!'].flatMap((key) =>
        ['keydown', 'beforeinput', 'input', 'keyup'].map((type) => `${type}:${key}`),
      )
      expect(await value(tab, 'events')).toEqual(strokes)
    }))

  test('writes what no keyboard has, lines, and long texts', { tags: ['long'] }, () =>
    on('/field', async (tab) => {
      const text = 'Grüße 日本 👩‍👩‍👧\nline two'
      await tab.click('#area', one, soon())
      await tab.type(text, soon())
      expect(await value(tab, 'area.value')).toBe(text)
      const long = 'x'.repeat(12_000)
      await tab.click('#field', one, soon())
      await tab.type(long, soon())
      expect(await value(tab, 'field.value.length')).toBe(12_000)
    }),
  )

  test('writes into what can be edited in place', () =>
    on('/field', async (tab) => {
      await value(tab, 'rich.focus(); 0')
      await tab.type('rich', soon())
      expect(await value(tab, 'rich.textContent')).toBe('rich')
    }))

  test('fails when nothing has the focus', () =>
    on('/field', async (tab) => {
      const typing = tab.type('x', soon())
      await expect(typing).rejects.toMatchObject({ code: 'action_failed', message: expect.stringContaining('focus') })
    }))
})

describe('pressing', () => {
  test('a key does what it does for a person', () =>
    on('/field', async (tab) => {
      await tab.click('#search', one, soon())
      await tab.type('x', soon())
      await tab.press('Enter', soon())
      expect(await tab.html()).toContain('<h1>Plain</h1>')
    }))

  test('keys together work as shortcuts', () =>
    on('/field', async (tab) => {
      await tab.click('#field', one, soon())
      await tab.type('gone', soon())
      await tab.press('Control+A', soon())
      await tab.press('Backspace', soon())
      expect(await value(tab, 'field.value')).toBe('')
      await tab.type('ab', soon())
      await tab.press('arrowleft', soon())
      await tab.press('Shift+x', soon())
      expect(await value(tab, 'field.value')).toBe('axb')
    }))

  test('what is no key fails', () =>
    on('/field', async (tab) => {
      await expect(tab.press('Nonsense', soon())).rejects.toMatchObject({ code: 'action_failed' })
    }))
})

describe('scrolling', () => {
  test('moves the page by about what is in sight, and back', () =>
    on('/tall', async (tab) => {
      await tab.scroll('down', undefined, soon())
      const down = Number(await value(tab, 'scrollY / innerHeight'))
      expect(down).toBeGreaterThan(0.7)
      expect(down).toBeLessThanOrEqual(1)
      await tab.scroll('up', undefined, soon())
      expect(await value(tab, 'scrollY')).toBe(0)
    }))

  test('moves the part that scrolls where the page itself does not', () =>
    on('/app', async (tab) => {
      await tab.scroll('down', undefined, soon())
      expect(await value(tab, 'document.querySelector("main").scrollTop')).toBeGreaterThan(300)
    }))

  test('moves one element', () =>
    on('/box', async (tab) => {
      await tab.scroll('down', '#box', soon())
      expect(await value(tab, 'box.scrollTop')).toBe(90)
      await expect(tab.scroll('down', '#none', soon())).rejects.toMatchObject({ code: 'action_failed' })
    }))

  test('brings what comes only when it is in sight', async () => {
    await on('/endless', async (tab) => {
      for (let times = 0; times < 4; times++) await tab.scroll('down', undefined, soon())
      expect(Number(await value(tab, 'document.querySelectorAll("p").length'))).toBeGreaterThan(20)
    })
    await on('/lazy', async (tab) => {
      for (let times = 0; times < 5; times++) await tab.scroll('down', undefined, soon())
      expect(await tab.html()).toContain('>seen<')
    })
  })
})

describe('scrolling a page that is shown without its pictures', () => {
  test('loads what a page that is too short to move would load when it is moved', { tags: ['long'] }, () =>
    on(
      '/gallery',
      async (tab) => {
        for (let times = 0; times < 3; times++) await tab.scroll('down', undefined, soon())
        expect(await value(tab, 'document.images.length')).toBeGreaterThanOrEqual(12)
      },
      { pictures: false },
    ),
  )

  test('gives the pictures their addresses as they come into sight, as with pictures', async () => {
    const addresses = (pictures: boolean): Promise<unknown> =>
      on(
        '/lazy-pictures',
        async (tab) => {
          for (let times = 0; times < 3; times++) await tab.scroll('down', undefined, soon())
          return value(tab, '[...document.images].filter((image) => image.src).length')
        },
        { pictures },
      )
    const drawn = Number(await addresses(true))
    expect(drawn).toBeGreaterThan(3)
    expect(Number(await addresses(false))).toBeGreaterThanOrEqual(drawn)
  })

  test('brings what comes only when it is in sight', () =>
    on(
      '/endless',
      async (tab) => {
        for (let times = 0; times < 4; times++) await tab.scroll('down', undefined, soon())
        expect(Number(await value(tab, 'document.querySelectorAll("p").length'))).toBeGreaterThan(20)
      },
      { pictures: false },
    ))
})

describe('a script', () => {
  const scripts: readonly (readonly [script: string, value: unknown])[] = [
    ['document.querySelector("h1").textContent', 'Plain'],
    ['return document.title', 'Plain'],
    ['await Promise.resolve(7)', 7],
    ['const a = await Promise.resolve(1); return [a]', [1]],
    ['new Promise((resolve) => setTimeout(() => resolve({ later: true }), 20))', { later: true }],
    ['undefined', undefined],
    ['null', null],
    ['10n ** 20n', 10n ** 20n],
    ['NaN', Number.NaN],
    ['new Map([[1, new Set([2])]])', [[1, [2]]]],
    ['const o = { name: "o" }; o.self = o; o', { name: 'o', self: '[circle]' }],
    ['document.querySelector("h1")', '<h1>Plain</h1>'],
    ['new Date(0)', '1970-01-01T00:00:00.000Z'],
  ]
  for (const [script, expected] of scripts) {
    test(`gives its value: ${script}`, () =>
      on('/plain', async (tab) => expect(await value(tab, script)).toEqual(expected)))
  }

  test('gives the type of what cannot be copied', () =>
    on('/plain', async (tab) => {
      expect(typeof (await value(tab, '() => 1'))).toBe('function')
      expect(typeof (await value(tab, 'Symbol("x")'))).toBe('symbol')
    }))

  test('sees the things of the page, and may change them', () =>
    on('/field', async (tab) => {
      await value(tab, 'events.push("mine")')
      expect(await value(tab, 'events')).toEqual(['mine'])
    }))

  test('that throws, is no script, or gives too much fails', () =>
    on('/plain', async (tab) => {
      for (const [script, sentence] of [
        ['throw new TypeError("no way")', /TypeError: no way/],
        ['Promise.reject("a word")', /a word/],
        ['let let = ((', /SyntaxError/],
        ['"x".repeat(2_000_000)', /more than 1000000 characters/],
        ['Array(600_000).fill(12)', /more than 1000000 characters/],
        ['location = "/tall"; new Promise(() => {})', /navigated/],
      ] as const) {
        const running = tab.evaluate(script, soon())
        await expect(running, script).rejects.toMatchObject({
          code: 'action_failed',
          message: expect.stringMatching(sentence),
        })
      }
    }))
})

describe('waiting for an element', () => {
  test('finds it in frames and open shadow roots, when it comes', async () => {
    await on('/buttons', (tab) => tab.waitFor('#later', soon()))
    await on('/frames', (tab) => tab.waitFor('.third-field', soon()))
    await on('/shadow', (tab) => tab.waitFor('#deep', soon()))
  })

  test('ends when the signal does', () =>
    on('/plain', async (tab) => {
      await expect(tab.waitFor('#none', AbortSignal.timeout(300))).rejects.toThrow(/timeout/i)
    }))

  test('of a selector that is none fails at once', () =>
    on('/plain', async (tab) => {
      await expect(tab.waitFor('::nonsense', soon())).rejects.toMatchObject({ code: 'action_failed' })
    }))
})
