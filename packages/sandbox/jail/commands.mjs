// The commands of `agent-browser`: one page at a time, elements by the references of the last snapshot or by selector.
import { writeFileSync } from 'node:fs'

import { pageCommands, scopeOf, waitForResponse, watchResponses } from './page-commands.mjs'

const wait = 10_000

/** `@e3` is a reference of the last snapshot; all else is a selector of Playwright. */
function find(all, target) {
  if (target === undefined) throw new Error('Say which element: a reference such as @e3, or a CSS selector.')
  const [, name] = /^@?(e\d+)$/.exec(target) ?? []
  if (name === undefined) return scopeOf(all).locator(target).first()
  const ref = all.refs?.get(name)
  if (ref === undefined) throw new Error(`The last snapshot has no @${name}. Take another one, and use its references.`)
  return all.page.locator(`aria-ref=${ref}`)
}

const byRole = {
  role: 'getByRole',
  text: 'getByText',
  label: 'getByLabel',
  placeholder: 'getByPlaceholder',
  alt: 'getByAltText',
  title: 'getByTitle',
  testid: 'getByTestId',
}

/** Does again what only looks, or scrolls, when the page went away under it: a key that was pressed before sent a form. */
async function onThePage(page, work) {
  try {
    return await work()
  } catch (error) {
    if (!String(error).includes('Execution context was destroyed')) throw error
    await page.waitForLoadState('domcontentloaded', { timeout: wait })
    return work()
  }
}

const deltas = { up: [0, -1], down: [0, 1], left: [-1, 0], right: [1, 0] }

const getters = {
  text: (all, target) => find(all, target).innerText({ timeout: wait }),
  html: (all, target) => find(all, target).innerHTML({ timeout: wait }),
  value: (all, target) => find(all, target).inputValue({ timeout: wait }),
  attr: (all, target, name) => find(all, target).getAttribute(name, { timeout: wait }),
  count: (all, target) => onThePage(all.page, () => scopeOf(all).locator(target).count()),
  box: (all, target) => find(all, target).boundingBox({ timeout: wait }),
  title: ({ page }) => onThePage(page, () => page.title()),
  url: ({ page }) => page.url(),
}

const states = {
  visible: (locator) => locator.isVisible(),
  enabled: (locator) => locator.isEnabled({ timeout: wait }),
  checked: (locator) => locator.isChecked({ timeout: wait }),
}

async function findAndAct(all, kind, value, action = 'click', ...rest) {
  const options = {}
  const words = []
  for (let index = 0; index < rest.length; index++) {
    if (rest[index] === '--name') options.name = rest[++index]
    else if (rest[index] === '--exact') options.exact = true
    else words.push(rest[index])
  }
  let locator
  if (kind === 'first') locator = scopeOf(all).locator(value).first()
  else if (kind === 'last') locator = scopeOf(all).locator(value).last()
  else if (byRole[kind]) locator = scopeOf(all)[byRole[kind]](value, options).first()
  else throw new Error(`find knows ${Object.keys(byRole).join(', ')}, first and last, not ${kind}.`)
  if (action === 'fill') return locator.fill(words.join(' '), { timeout: wait })
  if (action === 'text') return locator.innerText({ timeout: wait })
  if (!['click', 'hover', 'focus', 'check', 'uncheck'].includes(action)) throw new Error(`find cannot ${action}.`)
  return locator[action]({ timeout: wait })
}

async function waitFor(all, ...args) {
  const [first, second] = args
  if (first === undefined)
    throw new Error('Say what to wait for: milliseconds, a selector, --text, --url, --load or --response.')
  if (/^\d+$/.test(first)) return all.page.waitForTimeout(Math.min(Number(first), 300_000))
  if (first === '--response') return waitForResponse(all, second)
  if (first === '--text') return scopeOf(all).getByText(second).first().waitFor({ timeout: wait })
  if (first === '--url') return all.page.waitForURL(second, { timeout: wait })
  if (first === '--load') return all.page.waitForLoadState(second, { timeout: wait })
  if (first === '--fn') return all.page.waitForFunction(second, undefined, { timeout: wait })
  return find(all, first).waitFor({ timeout: wait })
}

const pagesOf = ({ browser }) => browser.contexts().flatMap((context) => context.pages())

async function tab(all, action, ...rest) {
  const open = pagesOf(all)
  if (action === undefined || action === 'list') {
    const rows = await Promise.all(
      open.map(
        async (page, index) => `${page === all.page ? '→' : ' '} [${index + 1}] ${await page.title()} - ${page.url()}`,
      ),
    )
    return rows.join('\n')
  }
  if (action === 'new') {
    const isIsolated = rest.includes('--isolated')
    const [url] = rest.filter((word) => word !== '--isolated')
    all.page = await (isIsolated ? await all.browser.newContext() : all.context).newPage()
    if (url) await all.page.goto(withScheme(url))
    return `Tab ${pagesOf(all).indexOf(all.page) + 1}`
  }
  const isClosing = action === 'close'
  const number = Number(isClosing ? (rest[0] ?? open.indexOf(all.page) + 1) : action.replace(/^t/, ''))
  const page = open[number - 1]
  if (!page) throw new Error(`There is no tab ${number}.`)
  if (!isClosing) {
    all.page = page
    return page.bringToFront()
  }
  const context = page.context()
  await page.close()
  if (context !== all.context && context.pages().length === 0) await context.close()
  all.page = all.context.pages()[0] ?? (await all.context.newPage())
}

const withScheme = (url) => (/^[a-z][a-z0-9+.-]*:/i.test(url) ? url : `https://${url}`)

async function snapshot(all, ...flags) {
  const depth = flags.includes('-d') ? Number(flags[flags.indexOf('-d') + 1]) : undefined
  const given = await all.page.ariaSnapshot({ mode: 'ai', ...(depth !== undefined && { depth }) })
  all.refs = new Map()
  const text = given.replaceAll(/\[ref=(\w+)\]/g, (_whole, ref) => {
    const name = `e${all.refs.size + 1}`
    all.refs.set(name, ref)
    return `[ref=${name}]`
  })
  if (!flags.includes('-i') && !flags.includes('--interactive')) return text
  const control =
    /^\s*- (?:link|button|textbox|checkbox|radio|combobox|option|searchbox|slider|spinbutton|switch|tab|menuitem)\b/
  return text
    .split('\n')
    .filter((line) => control.test(line))
    .map((line) => line.trim())
    .join('\n')
}

async function screenshot({ page }, ...args) {
  const path = args.find((arg) => !arg.startsWith('-')) ?? `/tmp/screenshot-${Date.now()}.png`
  writeFileSync(path, await page.screenshot({ fullPage: args.includes('--full') || args.includes('-f') }))
  return `Screenshot saved to ${path}`
}

const commands = {
  open: async ({ page }, url) => {
    if (url === undefined) throw new Error('Say which address to open.')
    await page.goto(withScheme(url), { waitUntil: 'domcontentloaded' })
    return `${await page.title()}\n${page.url()}`
  },
  snapshot,
  click: (all, target) => find(all, target).click({ timeout: wait }),
  dblclick: (all, target) => find(all, target).dblclick({ timeout: wait }),
  hover: (all, target) => find(all, target).hover({ timeout: wait }),
  focus: (all, target) => find(all, target).focus({ timeout: wait }),
  check: (all, target) => find(all, target).check({ timeout: wait }),
  uncheck: (all, target) => find(all, target).uncheck({ timeout: wait }),
  fill: (all, target, ...words) => find(all, target).fill(words.join(' '), { timeout: wait }),
  type: (all, target, ...words) => find(all, target).pressSequentially(words.join(' '), { timeout: wait }),
  select: async (all, target, ...values) => void (await find(all, target).selectOption(values, { timeout: wait })),
  press: ({ page }, key) => page.keyboard.press(key),
  scroll: async ({ page }, direction = 'down', pixels = '500') => {
    const [x, y] = deltas[direction] ?? []
    if (x === undefined) throw new Error(`scroll goes up, down, left or right, not ${direction}.`)
    const by = [x * Number(pixels), y * Number(pixels)]
    await onThePage(page, () => page.evaluate(([dx, dy]) => window.scrollBy(dx, dy), by))
  },
  scrollintoview: (all, target) => find(all, target).scrollIntoViewIfNeeded({ timeout: wait }),
  get: (all, what, ...rest) => {
    if (!getters[what]) throw new Error(`get knows ${Object.keys(getters).join(', ')}, not ${what}.`)
    return getters[what](all, ...rest)
  },
  is: (all, what, target) => {
    if (!states[what]) throw new Error(`is knows ${Object.keys(states).join(', ')}, not ${what}.`)
    return states[what](find(all, target))
  },
  wait: waitFor,
  find: findAndAct,
  screenshot,
  eval: ({ page }, ...words) => page.evaluate(words.join(' ')),
  tab,
  back: async ({ page }) => void (await page.goBack()),
  forward: async ({ page }) => void (await page.goForward()),
  reload: async ({ page }) => void (await page.reload()),
  ...pageCommands(find),
}
Object.assign(commands, { goto: commands.open, navigate: commands.open, key: commands.press })

const help = `agent-browser drives the page of this session: ${Object.keys(commands).join(', ')}.`

export async function runCommand(all, argv) {
  const isJson = argv.includes('--json')
  const [name, ...args] = argv.filter((word) => word !== '--json')
  if (name === undefined || name === '--help' || name === 'help') return { output: help }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) return { error: `agent-browser has no command ${name}. ${help}` }
  watchResponses(all)
  const value = await command(all, ...args)
  if (isJson) return { output: JSON.stringify({ success: true, data: value ?? null }) }
  if (value === undefined || value === null) return { output: '✓ Done' }
  return { output: typeof value === 'string' ? value : JSON.stringify(value) }
}
