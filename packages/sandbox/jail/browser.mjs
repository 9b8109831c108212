// The browser of a session, by way of Playwright.
import { connectFiles } from './files.mjs'

const closesWithin = 2_000
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Connects when it is needed, and again when the connection was lost. */
let connected
async function connect() {
  const { chromium } = await import('playwright-core')
  const browser = await chromium.connectOverCDP(`ws://127.0.0.1:${process.env.HARVESTMAN_CDP_PORT}/`, {
    timeout: 10_000,
  })
  const [context] = browser.contexts()
  // Tabs come in no certain order; one that shows something is meant before one that is empty.
  const open = context.pages()
  const page = open.find((one) => one.url() !== 'about:blank') ?? open[0]
  browser.once('disconnected', () => (connected = undefined))
  const all = { browser, context, page: page ?? (await context.newPage()), hasCrashed: false }
  const follow = (one) => one.on('crash', () => (all.hasCrashed = true))
  context.pages().forEach(follow)
  context.on('page', follow)
  await connectFiles(browser, all.page)
  return all
}

export async function openPages() {
  connected ??= connect()
  try {
    const all = await connected
    // Playwright has no way back to a page that has crashed, also when the tab shows another one: a new connection has.
    if (all.hasCrashed) {
      connected = undefined
      await Promise.race([all.browser.close().catch(() => undefined), pause(closesWithin)])
      return await openPages()
    }
    if (all.page.isClosed()) all.page = all.context.pages()[0] ?? (await all.context.newPage())
    return all
  } catch (error) {
    connected = undefined
    throw new Error('The browser of this session cannot be reached.', { cause: error })
  }
}
