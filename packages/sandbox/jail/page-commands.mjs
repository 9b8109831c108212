// Commands of `agent-browser` about files, frames, cookies, storage and requests.
import { writeFileSync } from 'node:fs'

const wait = 10_000
const maxResponses = 200

/** Where elements are looked for: the page, or the frame that `frame` chose in it. */
export function scopeOf(all) {
  if (all.frame?.page !== all.page) all.frame = undefined
  return all.frame?.locator ?? all.page
}

/** Notes the responses since the page was opened, so that one which came before it is waited for is found. */
export function watchResponses(all) {
  if (all.responses) return
  all.responses = []
  all.context.on('response', (response) => {
    if (response.request().isNavigationRequest() && response.frame() === all.page.mainFrame()) all.responses = []
    all.responses.push(response)
    if (all.responses.length > maxResponses) all.responses.shift()
  })
}

/** `*` is anything, as in the patterns of Playwright; a pattern without one is a part of the URL. */
function matcherOf(pattern = '') {
  if (!pattern.includes('*')) return (url) => url.includes(pattern)
  const source = pattern.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`).replaceAll(/\*+/g, '.*')
  const whole = new RegExp(`^${source}$`)
  return (url) => whole.test(url)
}

const rowOf = (response) => `${response.status()} ${response.request().method()} ${response.url()}`

export async function waitForResponse(all, pattern) {
  const fits = matcherOf(pattern)
  const come = all.responses.findLast((response) => fits(response.url()))
  return rowOf(come ?? (await all.page.waitForResponse((response) => fits(response.url()), { timeout: wait })))
}

const needs = (value, sentence) => {
  if (value === undefined) throw new Error(sentence)
  return value
}

async function frame(all, selector) {
  needs(selector, 'Say which frame: the selector of its element, or main.')
  all.frame = undefined
  if (selector === 'main') return
  await all.page.locator(selector).first().waitFor({ state: 'attached', timeout: wait })
  all.frame = { page: all.page, locator: all.page.frameLocator(selector) }
}

async function cookies({ context, page }, action = 'get', name, value) {
  if (action === 'get') {
    const rows = await context.cookies()
    return rows.map((one) => `${one.name}=${one.value}\t${one.domain}${one.path}`).join('\n')
  }
  if (action === 'clear') return context.clearCookies()
  if (action !== 'set') throw new Error(`cookies knows get, set NAME VALUE and clear, not ${action}.`)
  needs(value, 'Say the name and the value of the cookie.')
  return context.addCookies([{ name, value, url: page.url() }])
}

async function storage({ page }, kind, action = 'get', key, value) {
  if (kind !== 'local' && kind !== 'session') throw new Error('Say which storage: local or session.')
  if (!['get', 'set', 'clear'].includes(action))
    throw new Error(`storage knows get [KEY], set KEY VALUE and clear, not ${action}.`)
  if (action === 'set') needs(value, 'Say the key and the value.')
  return page.evaluate(
    ([name, what, item, given]) => {
      const found = window[name]
      if (what === 'clear') return found.clear()
      if (what === 'set') return found.setItem(item, given)
      return item === undefined || item === null
        ? JSON.stringify(Object.fromEntries(Object.entries(found)))
        : found.getItem(item)
    },
    [`${kind}Storage`, action, key, value],
  )
}

async function network(all, action, pattern, ...rest) {
  if (action === 'requests')
    return all.responses
      .filter((response) => matcherOf(pattern)(response.url()))
      .map(rowOf)
      .join('\n')
  if (action === 'unroute') return pattern === undefined ? all.context.unrouteAll() : all.context.unroute(pattern)
  if (action !== 'route') throw new Error(`network knows route, unroute and requests, not ${String(action)}.`)
  needs(pattern, 'Say the pattern of the URLs, such as "**/*.png".')
  const [flag, body] = rest
  if (flag === '--abort') return void (await all.context.route(pattern, (route) => route.abort()))
  if (flag === '--body') return void (await all.context.route(pattern, (route) => route.fulfill({ body: body ?? '' })))
  throw new Error('Say what becomes of the requests: --abort, or --body TEXT.')
}

/** `find` gives the element of a reference or a selector. */
export const pageCommands = (find) => ({
  frame,
  cookies,
  storage,
  network,
  upload: (all, target, ...files) => {
    needs(files[0], 'Say the element and the files.')
    return find(all, target).setInputFiles(files, { timeout: wait })
  },
  download: async (all, target, path) => {
    needs(path, 'Say the element to click, and the file to write.')
    const downloading = all.page.waitForEvent('download', { timeout: wait })
    const [download] = await Promise.all([downloading, find(all, target).click({ timeout: wait })])
    await download.saveAs(path)
    return `Downloaded ${download.suggestedFilename()} to ${path}`
  },
  pdf: async ({ page }, path = `/tmp/page-${Date.now()}.pdf`) => {
    writeFileSync(path, await page.pdf())
    return `PDF saved to ${path}`
  },
})
