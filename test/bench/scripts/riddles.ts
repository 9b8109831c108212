// Tasks whose parameters are not in their words: the caller works them out from the page, or tries them.
import type { LivePage } from '@harvestman/puppeteer'

import { clickText, none, submit, type Given, type Task } from './tasks.ts'

/** Types into the field and sends it. */
const typed =
  (selector: string) =>
  async (page: LivePage, given: (name: string) => string): Promise<void> => {
    await page.type(selector, given('answer'))
    await submit(page)
  }

/** Clicks what says exactly this and can be seen. */
async function clickSeen(page: LivePage, selector: string, text: string): Promise<void> {
  const deadline = AbortSignal.timeout(5_000)
  for (;;) {
    for (const one of await page.$$(selector)) {
      const isIt = await one.evaluate(
        (element, wanted) => element.textContent?.trim() === wanted && element.checkVisibility(),
        text,
      )
      if (isIt) return one.click()
    }
    deadline.throwIfAborted()
    await page.waitForSelector(selector, { timeout: 100 })
  }
}

const digits = '0123456789'.split('')
const answers = (some: readonly string[]): readonly Given[] => some.map((answer) => ({ answer }))
const quoted = (words: string): string => JSON.stringify(/"(.+)"/.exec(words)?.[1] ?? '')
const hasItems =
  (...names: readonly string[]) =>
  (given: Given): boolean =>
    names.every((name) => (given[name]?.length ?? 0) > 0)

const algebra = `(() => {
  const riddle = /[x\\d]+ [+-] [x\\d]+ = \\d+/.exec(document.querySelector('#area').innerText)?.[0] ?? ''
  const [left, right] = riddle.split('=').map((one) => one.trim())
  for (let x = -200; x < 300; x += 1) {
    const [first, sign, second] = left.split(' ')
    const [a, b] = [first, second].map((one) => (one === 'x' ? x : Number(one)))
    if (a + (sign === '+' ? b : -b) === Number(right)) return { answer: String(x) }
  }
})()`

const parity = `(() => {
  const numbers = [...document.querySelectorAll('.display-number')].map((one) => one.textContent)
  return { odd: numbers.filter((one) => one % 2 !== 0), even: numbers.filter((one) => one % 2 === 0) }
})()`

const tree = (words: string): string => `(() => {
  const found = [...document.querySelectorAll('#tree span')].find((one) => one.textContent === ${quoted(words)})
  const folders = []
  for (let up = found.closest('ul'); up.id !== 'tree'; up = up.parentElement.closest('ul'))
    folders.unshift(up.parentElement.querySelector('span').textContent)
  return { folders, file: found.textContent }
})()`

const behind = (words: string, part: string, head: string): string => `(() => {
  const found = [...document.querySelectorAll('.alink')].find((one) => one.textContent === ${quoted(words)})
  const panel = found.closest(${JSON.stringify(part)})
  return { part: document.querySelectorAll(${JSON.stringify(head)})[[...document.querySelectorAll(${JSON.stringify(part)})].indexOf(panel)].innerText.trim(), link: found.textContent }
})()`

const inTabs = (name: string, taught: string): Task => ({
  name,
  given: none,
  reads: (words) => behind(words, '.ui-tabs-panel', '.ui-tabs-tab'),
  tells: ({ part }) => part === taught,
  teach: async (page, given) => {
    await clickText(page, '.ui-tabs-tab', given('part'))
    await clickSeen(page, '.alink', given('link'))
  },
})

export const riddles: readonly Task[] = [
  { name: 'simple-algebra', given: none, reads: () => algebra, teach: typed('#math-answer') },
  {
    name: 'find-word',
    given: none,
    reads: (words) =>
      `({ answer: document.querySelector('#area p').textContent.trim().split(/\\s+/)[${Number.parseInt(/the (\d+)/.exec(words)?.[1] ?? '1')} - 1].replace(/[^a-zA-Z]/g, '') })`,
    teach: typed('#answer-input'),
  },
  {
    name: 'scroll-text',
    given: none,
    reads: () =>
      `({ answer: document.querySelector('#text-area').value.trim().split(/\\s+/).at(-1).replace(/[^a-zA-Z0-9]/g, '') })`,
    teach: typed('#answer-input'),
  },
  {
    name: 'text-transform',
    given: none,
    reads: () => `({ answer: document.querySelector('#captcha').textContent })`,
    teach: typed('#tt'),
  },
  { name: 'guess-number', given: none, tries: answers(digits), teach: typed('#tt') },
  {
    name: 'count-shape',
    given: none,
    tries: answers(digits),
    teach: (page, given) => clickText(page, '#count-buttons button', given('answer')),
  },
  {
    name: 'identify-shape',
    given: none,
    tries: answers(['Rectangle', 'Circle', 'Triangle', 'Letter', 'Number']),
    teach: (page, given) => clickText(page, '#area-buttons button', given('answer')),
  },
  {
    name: 'find-greatest',
    given: none,
    reads: () =>
      `({ answer: String(Math.max(...[...document.querySelectorAll('.card')].map((one) => Number(one.textContent)))) })`,
    teach: async (page, given) => {
      await clickText(page, '.card', given('answer'))
      await submit(page)
    },
  },
  {
    name: 'odd-or-even',
    given: none,
    reads: () => parity,
    tells: hasItems('odd', 'even'),
    teach: async (page, _given, list) => {
      for (const [kind, label] of Object.entries({ odd: 'Odd', even: 'Even' }))
        for (const number of list(kind))
          for (const row of await page.$$('#numbers .row')) {
            const shown = await row.$eval('.display-number', ({ textContent }) => textContent)
            if (shown === number) await (await row.$(`.${label.toLowerCase()}`))?.click()
          }
      await submit(page)
    },
  },
  {
    name: 'use-autocomplete-nodelay',
    given: none,
    reads: (words) => {
      const [, begin = '', end = ''] = /starts with "(.*?)"(?: and ends with "(.*?)")?/.exec(words) ?? []
      return `({ answer: ITEMS.find((one) => one.startsWith(${JSON.stringify(begin)}) && one.endsWith(${JSON.stringify(end)})) })`
    },
    teach: async (page, given) => {
      await page.type('#tags', given('answer'))
      await clickSeen(page, '.ui-menu-item', given('answer'))
      await submit(page)
    },
  },
  inTabs('click-tab-2', 'Tab #2'),
  inTabs('click-tab-2-easy', 'Tab #1'),
  {
    name: 'click-collapsible-2',
    given: none,
    reads: (words) => behind(words, '.ui-accordion-content', '.ui-accordion-header'),
    teach: async (page, given) => {
      await clickText(page, '.ui-accordion-header', given('part'))
      await page.waitForFunction(`!jQuery(':animated').length`)
      await clickSeen(page, '.alink', given('link'))
    },
  },
  {
    name: 'navigate-tree',
    given: none,
    reads: tree,
    tells: hasItems('folders'),
    teach: async (page, given, list) => {
      for (const folder of list('folders')) await clickSeen(page, '#tree span', folder)
      await clickSeen(page, '#tree span', given('file'))
    },
  },
]

/** Tasks that a script with parameters cannot do, and why. */
export const notScriptable: Readonly<Record<string, string>> = {
  'bisect-angle, chase-circle, drag-*, draw-*, resize-textarea, click-pie':
    'drawn on a canvas or done by dragging: there is no element that a step could name',
  'ascending-numbers, click-shades, number-checkboxes':
    'elements that nothing tells apart but where or in what colour they are drawn',
  'generate-number, simon-says, use-slider, click-widget, click-tab-2-medium':
    'what is done, and how often, depends on what the page shows meanwhile: a decision and not a parameter',
  'scroll-text-2, highlight-text-2, text-editor, terminal':
    'parts of a text are selected, a part of the page is scrolled, or keys are pressed that are no text of a field',
  'click-menu':
    'its submenus open under a pointer that rests on them, and a click on one is the wrong answer: scripts click, and do not rest',
  'book-flight, book-flight-nodelay': 'one of several results has to be chosen by comparing them',
}
