// What the tasks are asked for, and how one who knows the page does them once.
import type { LivePage } from '@harvestman/puppeteer'

export type Given = Readonly<Record<string, string | readonly string[]>>

export interface Task {
  readonly name: string
  /** The page, where several tasks have it. */
  readonly page?: string
  /** The parameters in the words of the task, or among the `fields` that it says them in; nothing where it is of another kind. */
  readonly given: (words: string, fields: Readonly<Record<string, string>>) => Given | undefined
  /** Parameters that have to be worked out from the page: an expression over it. Scripts decide nothing, callers do. */
  readonly reads?: (words: string) => string
  /** Parameters that can only be tried. */
  readonly tries?: readonly Given[]
  /** Whether an episode shows what varies; as it is, texts must not be empty, and lists have several items. */
  readonly tells?: (given: Given) => boolean
  /** Does it, as a person would. */
  readonly teach: (
    page: LivePage,
    given: (name: string) => string,
    list: (name: string) => readonly string[],
  ) => Promise<void>
}

type Parts = (words: string) => Given | undefined

const parts =
  (pattern: RegExp): Parts =>
  (words) => {
    const { groups } = pattern.exec(words) ?? {}
    return groups ? { ...groups } : undefined
  }

const listed =
  (pattern: RegExp, name: string): Parts =>
  (words) => {
    const found = pattern.exec(words)?.[1]
    return found === undefined || found === 'nothing' ? undefined : { [name]: found.split(', ') }
  }

export const none: Parts = () => ({})

/** Clicks what says exactly this. */
export async function clickText(page: LivePage, selector: string, text: string): Promise<void> {
  for (const one of await page.$$(selector)) {
    if ((await one.evaluate((element) => element.textContent?.trim() ?? '')) !== text) continue
    await one.click()
    return
  }
  throw new Error(`There is no ${selector} that says ${text}.`)
}

async function pick(page: LivePage, date: string): Promise<void> {
  const [, day = ''] = date.split('/')
  await clickText(page, '.ui-datepicker-calendar a', String(Number(day)))
  // It fades, and meanwhile lies above the button.
  await page.waitForSelector('#ui-datepicker-div', { hidden: true })
}

export const submit = (page: LivePage): Promise<void> => clickText(page, 'button', 'Submit')
const months = 'January February March April May June July August September October November December'.split(' ')

const openEmail = async (page: LivePage, name: string): Promise<void> => clickText(page, '#main .email-sender', name)

async function forward(page: LivePage, by: string, to: string): Promise<void> {
  await openEmail(page, by)
  await page.click('#email .email-forward')
  await page.type('.forward-sender', to)
  await page.click('#send-forward')
}

async function answer(page: LivePage, by: string, text: string): Promise<void> {
  await openEmail(page, by)
  await page.click('#email .email-reply')
  await page.type('#reply-text', text)
  await page.click('#send-reply')
}

async function checkAll(page: LivePage, names: readonly string[]): Promise<void> {
  for (const name of names) await clickText(page, '#area label', name)
  await submit(page)
}

export const tasks: readonly Task[] = [
  {
    name: 'enter-text',
    given: parts(/Enter "(?<text>.+)" into/),
    teach: async (page, given) => {
      await page.type('#tt', given('text'))
      await submit(page)
    },
  },
  {
    name: 'enter-date',
    given: (words) => {
      const [, month, day, year] = /(\d+)\/(\d+)\/(\d+)/.exec(words) ?? []
      return month === undefined ? undefined : { date: `${year}-${month}-${day}` }
    },
    teach: async (page, given) => {
      const [year = '', month = '', day = ''] = given('date').split('-')
      await page.focus('#tt')
      await page.keyboard.type(`${month}${day}${year}`)
      await submit(page)
    },
  },
  {
    name: 'choose-list',
    given: parts(/Select (?<option>.+) from the list/),
    teach: async (page, given) => {
      await page.select('#options', given('option'))
      await submit(page)
    },
  },
  {
    name: 'click-scroll-list',
    given: listed(/Select (.+) from the scroll list/, 'options'),
    teach: async (page, _given, list) => {
      await page.select('#options', ...list('options'))
      await submit(page)
    },
  },
  {
    name: 'click-checkboxes',
    given: listed(/Select (.+) and click Submit/, 'names'),
    teach: (page, _given, list) => checkAll(page, list('names')),
  },
  {
    name: 'click-checkboxes-large',
    given: listed(/Select (.+) and click Submit/, 'names'),
    teach: (page, _given, list) => checkAll(page, list('names')),
  },
  {
    name: 'click-link',
    given: parts(/link "(?<link>.+)"/),
    teach: (page, given) => clickText(page, '.alink', given('link')),
  },
  {
    name: 'click-button-sequence',
    given: none,
    teach: async (page) => {
      await clickText(page, 'button', 'ONE')
      await clickText(page, 'button', 'TWO')
    },
  },
  {
    name: 'click-collapsible-nodelay',
    given: none,
    teach: async (page) => {
      await page.click('#area h3')
      await submit(page)
    },
  },
  {
    name: 'click-collapsible',
    given: none,
    teach: async (page) => {
      await page.click('#area h3')
      await page.waitForSelector('.ui-accordion-content-active', { visible: true })
      await submit(page)
    },
  },
  {
    name: 'click-color',
    given: parts(/Click on the (?<color>\w+) colored box/),
    teach: (page, given) => page.click(`#area [data-color=${given('color')}]`),
  },
  {
    name: 'grid-coordinate',
    given: parts(/coordinate (?<point>\(.+\))/),
    teach: (page, given) => page.click(`circle[id="${given('point')}"]`),
  },
  {
    name: 'form-sequence-3',
    given: parts(/Choose (?<height>.+) from the dropdown, then click the button labeled "(?<button>\w+)"/),
    teach: async (page, given) => {
      await page.click('.selectric')
      await clickText(page, '.selectric-items li', given('height'))
      await clickText(page, '#buttons button', given('button'))
    },
  },
  {
    name: 'use-spinner',
    given: parts(/Select (?<number>-?\d+) with/),
    teach: async (page, given) => {
      await page.focus('#spinner')
      await page.$eval('#spinner', (field) => (field as unknown as { select(): void }).select())
      await (await page.createCDPSession()).send('Input.insertText', { text: given('number') })
      await submit(page)
    },
  },
  {
    name: 'choose-date-easy',
    given: (words) => dateOf(words),
    teach: async (page, given) => {
      await page.click('#datepicker')
      await page.waitForSelector('.ui-datepicker-calendar', { visible: true })
      await pick(page, `12/${given('day')}/2016`)
      await submit(page)
    },
  },
  {
    name: 'choose-date-medium',
    given: (words) => dateOf(words),
    // The calendar opens in December.
    tells: ({ month }) => month === 'November',
    teach: async (page, given) => {
      await page.click('#datepicker')
      await page.waitForSelector('.ui-datepicker-calendar', { visible: true })
      while ((await page.$eval('.ui-datepicker-month', ({ textContent }) => textContent)) !== given('month'))
        await page.click('.ui-datepicker-prev')
      await pick(page, `12/${given('day')}/2016`)
      await submit(page)
    },
  },
  {
    name: 'multi-layouts',
    given: parts(/Search for (?<genre>.+) movies directed by (?<director>.+) from year (?<year>\d+)/),
    teach: async (page, given) => {
      const boxes = await page.$$('#area input')
      for (const box of boxes) {
        const text = await box.evaluate((field) => {
          const row = field.closest('tr, p, .row, .field, .ui-entry')
          return row?.textContent ?? ''
        })
        await box.type(given(/genre/i.test(text) ? 'genre' : /director/i.test(text) ? 'director' : 'year'))
      }
      await (await page.$$('#area button, #area .final, #area .ui-submit'))[0]?.click()
    },
  },
  {
    name: 'email-inbox-forward',
    given: parts(/by (?<by>\w+) and forward that email to (?<to>\w+)\./),
    teach: (page, given) => forward(page, given('by'), given('to')),
  },
  {
    name: 'email-inbox-important',
    given: parts(/by (?<by>\w+) and click the star/),
    teach: async (page, given) => {
      await openEmail(page, given('by'))
      await page.click('#email .star')
    },
  },
  {
    name: 'email-inbox-star-reply: reply',
    page: 'email-inbox-star-reply',
    given: parts(/by (?<by>\w+) and reply to them with the text "(?<text>.+)"/),
    teach: (page, given) => answer(page, given('by'), given('text')),
  },
  {
    name: 'email-inbox-star-reply: star',
    page: 'email-inbox-star-reply',
    given: parts(/by (?<by>\w+) and click the star/),
    teach: async (page, given) => {
      const rows = await page.$$('#main .email-thread')
      for (const row of rows) {
        const name = await row.$eval('.email-sender', ({ textContent }) => textContent)
        if (name === given('by')) return (await row.$('.star'))?.click()
      }
    },
  },
  {
    name: 'email-inbox-forward-nl',
    given: (_words, { by, to }) => (by === undefined || to === undefined ? undefined : { by, to }),
    teach: (page, given) => forward(page, given('by'), given('to')),
  },
]

function dateOf(words: string): Given | undefined {
  const [, month, day] = /(\d+)\/(\d+)\/\d+/.exec(words) ?? []
  if (month === undefined) return undefined
  return { month: months[Number(month) - 1] ?? '', day: String(Number(day)) }
}
